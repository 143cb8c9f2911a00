@testable import HeadgateDialects

/// Output of the request writer for a request.
struct WrittenMessages {
    var body: JSONValue
    var dropped: [String]
    var toolNames: [String: String]

    init(_ request: ModelRequest, model: String = "claude-sonnet-4-5", client: ClientFormat = .chat) throws {
        var losses = Losses(client: client)
        let written = try MessagesRequestWriter.write(request, for: TargetTraits(model: model), &losses)
        body = .object(written.body)
        dropped = losses.dropped
        toolNames = written.toolNames
    }

    /// Returns the compact JSON of a member; empty if there is none.
    func text(_ member: String) -> String { body[member]?.text ?? "" }
}

extension ModelRequest {
    static let greeting = ModelRequest([Message(.user, "Hi")])

    /// Creates a conversation, which the test completes with its subject.
    init(_ messages: [Message] = [Message(.user, "Hi")], change: (inout ModelRequest) -> Void = { _ in }) {
        self.init()
        model = "m"
        self.messages = messages
        change(&self)
    }
}

extension Message {
    init(_ role: Role, _ text: String) { self.init(role, [Part(.text(text))]) }

    init(_ role: Role, _ contents: Content...) { self.init(role, contents.map { Part($0) }) }
}

extension Content {
    static func call(_ id: String, _ name: String = "f", _ arguments: String = "{}", isCustom: Bool = false) -> Content
    {
        .toolCall(ToolCall(id: id, name: name, arguments: arguments, isCustom: isCustom))
    }

    static func result(_ id: String, _ text: String, isError: Bool = false) -> Content {
        .toolResult(ToolResult(callID: id, parts: [Part(.text(text))], isError: isError))
    }
}
