/// Assembles objects that arrive in pieces, in time proportional to their size.
struct Pieces {
    /// Whether ambiguous pieces are rejected; otherwise the latest one counts.
    let isStrict: Bool

    /// String members that chunks extend.
    private static let texts: Set = [
        "arguments", "content", "input", "reasoning", "reasoning_content", "refusal", "summary", "text", "thinking",
        "transcript",
    ]
    /// List members that chunks extend.
    private static let lists: Set = [
        "annotations", "refusal", "text_offset", "token_logprobs", "tokens", "top_logprobs",
    ]
    /// Lists whose elements also arrive in pieces, identified by `index`.
    private static let numbered: Set = ["reasoning_details", "tool_calls"]
    /// Members whose first value that is not empty counts.
    private static let ofTheStream: Set = ["created", "id"]
    /// Maximum elements of a numbered list. The limit exists because each piece is looked up among them.
    private static let mostElements = 128
    /// Maximum members of one object. The limit exists because each member of a piece is looked up among them.
    static let mostMembers = 1024

    /// Merges a member of the stream itself, which all or some of its events carry.
    ///
    /// - Returns: Whether the piece is unambiguous.
    func agree(on member: JSONObject.Member, in answer: inout JSONObject) -> Bool {
        guard let known = answer[member.name], !Pieces.isEmpty(known) else {
            guard answer.members.count < Pieces.mostMembers else { return false }
            answer[member.name] = member.value
            return true
        }
        if Pieces.isEmpty(member.value) || member.value == known || Pieces.ofTheStream.contains(member.name) {
            return true
        }
        if !isStrict { answer[member.name] = member.value }
        return !isStrict
    }

    private static func isEmpty(_ value: JSONValue) -> Bool { value.isNull || value == "" || value == 0 }

    /// Joins a piece to an object. Known texts and lists are extended, and objects are merged. Other values arrive
    /// once, or are repeated unchanged.
    ///
    /// - Parameter isOfLists: Whether the members are lists, as in log probabilities.
    /// - Returns: Whether the piece is unambiguous.
    func join(_ piece: JSONObject, to object: inout JSONObject, isOfLists: Bool = false) -> Bool {
        guard object.members.count + piece.members.count <= Pieces.mostMembers else { return false }
        for member in piece.members {
            let place: Int
            if let known = object.members.lastIndex(where: { $0.name == member.name }) {
                if member.value.isNull { continue }
                place = known
            } else {
                place = object.members.count
                object.members.append(.init(name: member.name, value: .null))
            }
            guard join(member.value, to: &object.members[place].value, as: member.name, isOfLists) else {
                return false
            }
        }
        return true
    }

    private func join(_ piece: JSONValue, to value: inout JSONValue, as name: String, _ isOfLists: Bool) -> Bool {
        if Pieces.numbered.contains(name), let more = piece.array {
            if value.array == nil { value = [] }
            return value.editArray { join(more, toElements: &$0) } ?? false
        }
        if value.isNull {
            value = piece
            return true
        }
        if Pieces.texts.contains(name), let more = piece.string, value.editString({ $0 += more }) != nil { return true }
        let isList = Pieces.lists.contains(name) || isOfLists
        if isList, let more = piece.array, value.editArray({ $0 += more }) != nil { return true }
        if name == "content", !isStrict, Pieces.append(piece, toParts: &value) { return true }
        if value == piece || piece == "" && value.string != nil { return true }
        if let more = piece.object,
            let isClear = value.editObject({ join(more, to: &$0, isOfLists: name == "logprobs") })
        {
            return isClear
        }
        guard !isStrict || value == "" && piece.string != nil else { return false }
        value = piece
        return true
    }

    /// Appends content to a list of parts. Text becomes a part of the list.
    private static func append(_ piece: JSONValue, toParts value: inout JSONValue) -> Bool {
        func parts(_ value: JSONValue) -> [JSONValue]? {
            value.array ?? value.string.map { $0.isEmpty ? [] : [["type": "text", "text": .string($0)]] }
        }
        guard let more = parts(piece) else { return false }
        if value.editArray({ $0 += more }) != nil { return true }
        guard let known = parts(value) else { return false }
        value = .array(known + more)
        return true
    }

    private func join(_ pieces: [JSONValue], toElements elements: inout [JSONValue]) -> Bool {
        var seen: Set<Int> = []
        for piece in pieces {
            guard let piece = piece.object else { return false }
            let index = piece["index"]?.integer
            if isStrict { guard let index, seen.insert(index).inserted else { return false } }
            guard let place = place(of: piece, at: index, in: elements) else {
                let isClear = !isStrict || !elements.contains { $0["index"]?.integer == index }
                guard isClear, elements.count < Pieces.mostElements else { return false }
                elements.append(.object(piece))
                continue
            }
            guard elements[place].editObject({ join(piece, to: &$0) }) == true else { return false }
        }
        return true
    }

    /// Returns the place of the element that a piece continues; nil if the piece begins a new one.
    private func place(of piece: JSONObject, at index: Int?, in elements: [JSONValue]) -> Int? {
        if let index {
            let place = elements.lastIndex { $0["index"]?.integer == index }
            return place.flatMap { isMore(piece, of: elements[$0]) ? $0 : nil }
        }
        guard Pieces.isEmpty(piece["id"] ?? .null) else { return elements.lastIndex { $0["id"] == piece["id"] } }
        return Pieces.name(of: piece) == nil ? elements.indices.last : nil
    }

    /// Returns whether a piece continues an element. Its first piece has the call's id and name, so another id or name
    /// begins another call.
    private func isMore(_ piece: JSONObject, of element: JSONValue) -> Bool {
        func isSame(_ new: JSONValue?, _ known: JSONValue?) -> Bool {
            guard let new, !Pieces.isEmpty(new) else { return true }
            return new == known || !isStrict && Pieces.isEmpty(known ?? .null)
        }
        return isSame(piece["id"], element["id"])
            && ["function", "custom"].allSatisfy { isSame(piece[$0]?["name"], element[$0]?["name"]) }
    }

    private static func name(of call: JSONObject) -> String? {
        let name = (call["function"]?["name"] ?? call["custom"]?["name"])?.string
        return name?.isEmpty == false ? name : nil
    }

    /// Returns whether a call has the id and the name that its result needs.
    static func isNamed(_ call: JSONObject) -> Bool { call["id"]?.string?.isEmpty == false && name(of: call) != nil }
}

/// Edits in place: the value is moved out while it changes, so it is not copied if it has no other reference.
extension JSONValue {
    /// - Returns: Nil if the value is not a string.
    mutating func editString<Result>(_ edit: (inout String) -> Result) -> Result? {
        guard case .string(var text) = self else { return nil }
        self = .null
        defer { self = .string(text) }
        return edit(&text)
    }

    mutating func editArray<Result>(_ edit: (inout [JSONValue]) -> Result) -> Result? {
        guard case .array(var elements) = self else { return nil }
        self = .null
        defer { self = .array(elements) }
        return edit(&elements)
    }

    mutating func editObject<Result>(_ edit: (inout JSONObject) -> Result) -> Result? {
        guard case .object(var object) = self else { return nil }
        self = .null
        defer { self = .object(object) }
        return edit(&object)
    }
}
