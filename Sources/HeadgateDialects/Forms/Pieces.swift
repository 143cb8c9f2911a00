/// Puts objects together that come in pieces. What may be meant in more than one way is not put together.
enum Pieces {
    /// Texts that go on.
    private static let texts: Set = [
        "arguments", "content", "input", "reasoning", "reasoning_content", "refusal", "summary", "text", "thinking",
        "transcript",
    ]
    /// Lists that go on.
    private static let lists: Set = [
        "annotations", "refusal", "text_offset", "token_logprobs", "tokens", "top_logprobs",
    ]
    /// Lists whose elements come in pieces too, told apart by their `index`.
    private static let numbered: Set = ["reasoning_details", "tool_calls"]
    /// Members of which the first counts that says something.
    private static let ofTheStream: Set = ["created", "id"]
    /// Elements of a numbered list: each piece is looked for among them.
    private static let mostElements = 128

    /// A member of the stream itself, which all its events bring, or some.
    ///
    /// - Returns: whether it is clear what is meant.
    static func agree(on member: JSONObject.Member, in answer: inout JSONObject) -> Bool {
        guard let known = answer[member.name], !isEmpty(known) else {
            answer[member.name] = member.value
            return true
        }
        return isEmpty(member.value) || member.value == known || ofTheStream.contains(member.name)
    }

    private static func isEmpty(_ value: JSONValue) -> Bool { value.isNull || value == "" || value == 0 }

    /// Known texts and lists go on, objects are joined, and all else comes once, or the same again.
    ///
    /// - Parameter isOfLists: of log probabilities, whose members are lists.
    /// - Returns: whether it is clear what is meant.
    static func join(_ piece: JSONObject, to object: inout JSONObject, isOfLists: Bool = false) -> Bool {
        for member in piece.members where !member.value.isNull || object[member.name] == nil {
            let known = object[member.name].flatMap { $0.isNull ? Optional.none : $0 }
            guard let joined = join(member.value, to: known, as: member.name, isOfLists) else { return false }
            object[member.name] = joined
        }
        return true
    }

    private static func join(
        _ piece: JSONValue, to known: JSONValue?, as name: String, _ isOfLists: Bool
    ) -> JSONValue? {
        if numbered.contains(name), let more = piece.array {
            return elements(more, joinedTo: known?.array ?? []).map { .array($0) }
        }
        guard let known, known != piece || texts.contains(name) || lists.contains(name) else { return piece }
        switch (known, piece) {
        case (.string(let text), .string(let more)) where texts.contains(name): return .string(text + more)
        case (.string(let text), .string) where text.isEmpty: return piece
        case (.string, .string(let more)) where more.isEmpty: return known
        case (.object(var object), .object(let more)):
            return join(more, to: &object, isOfLists: name == "logprobs") ? .object(object) : .none
        case (.array(let elements), .array(let more)) where lists.contains(name) || isOfLists:
            return .array(elements + more)
        default: return nil
        }
    }

    /// Nil where it is not clear to which element a piece belongs.
    private static func elements(_ pieces: [JSONValue], joinedTo known: [JSONValue]) -> [JSONValue]? {
        var elements = known
        var seen: Set<Int> = []
        for piece in pieces {
            guard let piece = piece.object, let index = piece["index"]?.integer, seen.insert(index).inserted else {
                return nil
            }
            guard let place = elements.firstIndex(where: { $0["index"]?.integer == index }) else {
                guard elements.count < mostElements else { return nil }
                elements.append(.object(piece))
                continue
            }
            guard var element = elements[place].object, isMore(piece, of: element), join(piece, to: &element) else {
                return nil
            }
            elements[place] = .object(element)
        }
        return elements
    }

    /// Whether what names a call has come with its first piece: another one's name begins another call.
    private static func isMore(_ piece: JSONObject, of element: JSONObject) -> Bool {
        func isSame(_ new: JSONValue?, _ known: JSONValue?) -> Bool {
            guard let new, !isEmpty(new) else { return true }
            return new == known
        }
        return isSame(piece["id"], element["id"])
            && ["function", "custom"].allSatisfy { isSame(piece[$0]?["name"], element[$0]?["name"]) }
    }

    /// Whether a call has what its result is sent for.
    static func isNamed(_ call: JSONObject) -> Bool {
        let name = call["function"]?["name"] ?? call["custom"]?["name"]
        return call["id"]?.string?.isEmpty == false && name?.string?.isEmpty == false
    }
}
