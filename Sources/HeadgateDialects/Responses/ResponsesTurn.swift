package import JSONBytes

/// A request for a response, as one turn of a conversation whose earlier turns are stored elsewhere. It provides the
/// turn's input, and the same request with the earlier turns.
package struct ResponsesTurn: Sendable {
    /// Whether the response may be stored: `store` is not false.
    package private(set) var wishesKeeping = true
    /// Id of the conversation that the request names.
    package private(set) var conversationID: String?
    /// Whether the response is produced in the background.
    package private(set) var isBackground = false
    /// `metadata` of the request as the client wrote it; nil if there is none.
    package var metadata: [UInt8]? { metadataPlace.map { Array(request[$0]) } }
    private let request: [UInt8]
    private var metadataPlace: Range<Int>?
    private var input: Range<Int>?
    private var previous: Range<Int>?
    private var conversation: Range<Int>?

    /// - Parameter request: A JSON object.
    package init(_ request: [UInt8]) throws(JSONError) {
        self.request = request
        try request.withUnsafeBufferPointer { (bytes) throws(JSONError) in
            var cursor = JSONCursor(UnsafeRawBufferPointer(bytes))
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                // If a name occurs more than once, the last member applies.
                if cursor.equals(key, "input") {
                    input = try cursor.skipValue()
                } else if cursor.equals(key, "metadata") {
                    metadataPlace = try cursor.skipValue()
                } else if cursor.equals(key, "previous_response_id") {
                    previous = try cursor.skipValue()
                } else if cursor.equals(key, "conversation") {
                    (conversation, conversationID) = try Self.conversation(&cursor)
                } else if cursor.equals(key, "background") {
                    isBackground = try cursor.kind() == .true
                    try cursor.skipValue()
                } else if cursor.equals(key, "store") {
                    wishesKeeping = try cursor.kind() != .false
                    try cursor.skipValue()
                } else {
                    try cursor.skipValue()
                }
            }
        }
    }

    /// Returns the range of `conversation` and its id, which is a string or the id of an object.
    private static func conversation(
        _ cursor: inout JSONCursor
    ) throws(JSONError) -> (place: Range<Int>, id: String?) {
        switch try cursor.kind() {
        case .string:
            let id = try cursor.string()
            return (id.literal, cursor.decoded(id))
        case .object:
            var inner = cursor
            let place = try cursor.skipValue()
            try inner.beginObject()
            var found: String?
            while let key = try inner.nextKey() {
                if inner.equals(key, "id"), try inner.kind() == .string {
                    found = inner.decoded(try inner.string())
                } else {
                    try inner.skipValue()
                }
            }
            return (place, found)
        default: return (try cursor.skipValue(), nil)
        }
    }

    /// Items of the turn's own input, separated by commas; a text is one item.
    package var items: [UInt8] {
        guard let input, let first = request[input].first else { return [] }
        switch first {
        case UInt8(ascii: "["): return JSONElements.trimmed(request[input].dropFirst().dropLast())
        case UInt8(ascii: "\""):
            return Array(#"{"type":"message","role":"user","content":"#.utf8) + request[input] + [0x7D]
        default: return []
        }
    }

    /// Returns the request with all earlier turns and without references to them.
    ///
    /// - Parameter history: Items, separated by commas; empty elements are skipped.
    package func request(after history: [[UInt8]]) -> [UInt8] {
        var edits: [JSONEdit] = []
        let input = self.input ?? request.firstIndex(of: UInt8(ascii: "{")).map { $0 + 1..<$0 + 1 } ?? 0..<0
        let conversation = JSONElements.array(history + [items])
        edits.append(
            JSONEdit(
                input, self.input == nil ? Array("\"input\":".utf8) + conversation + Array(",".utf8) : conversation))
        for case let place? in [previous, self.conversation] { edits.append(JSONEdit(place, Array("null".utf8))) }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
        return request.withUnsafeBytes { JSONSplice.applying(edits, to: $0) }
    }

    /// Returns the items of a whole response's output, separated by commas.
    package static func output(of response: [UInt8]) -> [UInt8] {
        guard let range = member("output", of: response), response[range].first == UInt8(ascii: "[") else { return [] }
        return JSONElements.trimmed(response[range].dropFirst().dropLast())
    }

    /// Returns the id of the conversation that a whole response belongs to.
    package static func conversation(of response: [UInt8]) -> String? {
        guard let range = member("conversation", of: response) else { return nil }
        return (try? JSONValue(Array(response[range])))?["id"]?.string
    }

    /// Returns whether a whole response has ended without failure.
    package static func isComplete(_ response: [UInt8]) -> Bool {
        guard let range = member("status", of: response) else { return true }
        return ["\"completed\"", "\"incomplete\""].contains { $0.utf8.elementsEqual(response[range]) }
    }

    private static func member(_ name: StaticString, of response: [UInt8]) -> Range<Int>? {
        let found = try? response.withUnsafeBufferPointer { (bytes) throws(JSONError) -> Range<Int>? in
            var cursor = JSONCursor(UnsafeRawBufferPointer(bytes))
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                let isWanted = cursor.equals(key, name)
                let value = try cursor.skipValue()
                if isWanted { return value }
            }
            return nil
        }
        return found.flatMap { $0 }
    }
}

/// Elements of an array, as the bytes between its brackets.
enum JSONElements {
    static func trimmed(_ elements: ArraySlice<UInt8>) -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard let first = elements.firstIndex(where: { !isSpace($0) }),
            let last = elements.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return Array(elements[first...last])
    }

    static func array(_ pieces: [[UInt8]]) -> [UInt8] {
        var array: [UInt8] = [UInt8(ascii: "[")]
        array.reserveCapacity(pieces.reduce(2) { $0 + $1.count + 1 })
        for piece in pieces where !piece.isEmpty {
            if array.count > 1 { array.append(UInt8(ascii: ",")) }
            array.append(contentsOf: piece)
        }
        array.append(UInt8(ascii: "]"))
        return array
    }
}
