internal import HeadgateDialects

/// Conversion of items between the form that clients and upstreams send and the form that is stored.
enum ConversationItems {
    /// Parses the elements of a JSON array.
    ///
    /// - Parameters:
    ///   - elements: elements of the array, separated by commas.
    ///   - place: name of the array in the request.
    static func read(_ elements: [UInt8], at place: String) throws(GatewayError) -> [ConversationItem] {
        let values = (try? JSONValue([UInt8(ascii: "[")] + elements + [UInt8(ascii: "]")]))?.array ?? []
        return try read(values, at: place)
    }

    static func read(_ values: [JSONValue], at place: String) throws(GatewayError) -> [ConversationItem] {
        var items: [ConversationItem] = []
        for (index, value) in values.enumerated() {
            guard let object = value.object else {
                throw .invalidItem("\(place)[\(index)]", "must be an item, which is an object")
            }
            for name in ["type", "id"] where object[name].map({ $0.string == nil && !$0.isNull }) ?? false {
                throw .invalidItem("\(place)[\(index)].\(name)", "must be a string")
            }
            guard object["type"]?.string != nil || object["role"]?.string != nil || object["id"] != nil else {
                throw .invalidItem("\(place)[\(index)]", "has no 'type'")
            }
            guard ResponsesInputItems.type(of: object) != ResponsesInputItems.reference else {
                throw .invalidItem("\(place)[\(index)]", "must be the item itself: a conversation holds no references")
            }
            items.append(ConversationItem(object))
        }
        return items
    }

    /// Returns the items of a response's output.
    static func output(of response: [UInt8]) -> [ConversationItem] {
        (try? read(ResponsesTurn.output(of: response), at: "output")) ?? []
    }

    /// Encodes items as the elements of a JSON array, separated by commas.
    static func elements(_ items: [ConversationItem]) -> [UInt8] {
        var elements: [UInt8] = []
        elements.reserveCapacity(items.reduce(0) { $0 + $1.size + 16 })
        for item in items {
            if !elements.isEmpty { elements.append(UInt8(ascii: ",")) }
            elements.append(contentsOf: item.document)
        }
        return elements
    }
}

extension ConversationItem {
    /// Maximum bytes of an id.
    private static let longestID = 128

    /// Creates an item, with a new id if the object has none or one that is not safe in a path.
    fileprivate init(_ object: JSONObject) {
        var object = object
        if let id = object["id"]?.string, !ConversationItem.isID(id) { object["id"] = nil }
        if object["type"]?.isNull ?? false { object["type"] = nil }
        object = ResponsesInputItems.completed(object, id: "_" + LocalResponses.makeID())
        let id = object["id"]?.string ?? ""
        object["id"] = nil
        self.init(id: id, members: JSONValue.object(object).bytes)
    }

    static func isID(_ text: String) -> Bool {
        (1...longestID).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D || $0 == 0x5F
            }
    }
}
