import Testing

@testable import HeadgateDialects

/// Fixtures for the tests of chat completions.
enum Chat {
    static func object(_ text: String) throws -> JSONObject {
        try #require(try JSONValue(Array(text.utf8)).object)
    }

    /// Reads a request with these members in addition to the model.
    static func read(_ members: String) throws -> (request: ModelRequest, dropped: [String]) {
        var losses = Losses(client: .chat)
        let body = try object(#"{"model":"m","messages":[],\#(members)}"#)
        return (try ChatRequestReader.read(body, &losses), losses.dropped)
    }

    static func read(messages: String) throws -> (messages: [Message], dropped: [String]) {
        let (request, dropped) = try read(#""messages":[\#(messages)]"#)
        return (request.messages, dropped)
    }

    /// Returns the member at fault if a request with these members is refused.
    static func refusal(_ members: String) -> String? {
        do {
            _ = try read(members)
            return nil
        } catch let error as TranslationError {
            return error.member
        } catch {
            return "\(error)"
        }
    }

    /// Writes a request of a client of the Messages API in the chat format.
    static func write(
        _ request: ModelRequest, isOpenAI: Bool = false
    ) throws(TranslationError) -> (body: JSONObject, names: [String: String], dropped: [String]) {
        var losses = Losses(client: .messages)
        var target = TargetTraits(model: "u")
        target.isOpenAIsOwn = isOpenAI
        let written = try ChatRequestWriter.write(request, for: target, &losses)
        return (written.body, written.toolNames, losses.dropped)
    }

    static func write(messages: [Message], isOpenAI: Bool = false) throws -> [String] {
        var request = ModelRequest()
        request.messages = messages
        let body = try write(request, isOpenAI: isOpenAI).body
        return try #require(body["messages"]?.array).map(\.text)
    }

    static func write(_ change: (inout ModelRequest) -> Void, isOpenAI: Bool = false) throws -> JSONObject {
        var request = ModelRequest()
        change(&request)
        return try write(request, isOpenAI: isOpenAI).body
    }

    static func function(_ name: String) -> Tool { .function(Tool.Function(name: name)) }

    static func call(_ id: String, _ name: String = "f", _ arguments: String = "{}") -> Part {
        Part(.toolCall(ToolCall(id: id, name: name, arguments: arguments)))
    }

    static func result(_ id: String, _ text: String, isError: Bool = false) -> Part {
        Part(.toolResult(ToolResult(callID: id, parts: [Part(.text(text))], isError: isError)))
    }

    static func events(_ chunks: [String]) throws -> [ResponseEvent] {
        var reader = ChatStreamReader()
        var events: [ResponseEvent] = []
        for chunk in chunks { reader.read(try JSONValue(Array(chunk.utf8)), into: &events) }
        return events
    }

    /// Reads one chunk for each delta, without the start event.
    static func events(deltas: [String]) throws -> [ResponseEvent] {
        Array(try events(deltas.map { #"{"id":"chatcmpl-9","choices":[{"index":0,"delta":\#($0)}]}"# }).dropFirst())
    }

    static var context: ResponseContext {
        var context = ResponseContext()
        context.id = "7"
        context.created = 5
        context.model = "smart"
        context.asksUsage = false
        return context
    }

    /// Returns the data of each written event.
    static func stream(_ events: [ResponseEvent], _ context: ResponseContext = context) throws -> [String] {
        var writer = ChatStreamWriter(context)
        var output: [UInt8] = []
        for event in events { try writer.write(event, to: &output) }
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.isEmpty || text.hasSuffix("\n\n"))
        let events = text.split(separator: "\n\n", omittingEmptySubsequences: true)
        #expect(writer.eventCount == events.count { $0 != "data: [DONE]" })
        return events.map { String($0.dropFirst("data: ".count)) }
    }

    /// Returns the deltas written for events between the role and the end.
    static func deltas(_ events: [ResponseEvent], _ context: ResponseContext = context) throws -> [String] {
        try stream([.started(id: nil, model: nil)] + events, context).dropFirst().map { document in
            try #require(try JSONValue(Array(document.utf8))["choices"]?.array?.first?["delta"]).text
        }
    }
}
