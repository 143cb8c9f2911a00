internal import JSONBytes

/// Reads the requests of one format.
protocol RequestReader {
    /// - Parameter losses: what the neutral form cannot hold is dropped there, by its name.
    static func read(_ body: JSONObject, _ losses: inout Losses) throws(TranslationError) -> ModelRequest
}

/// Writes requests in one format.
protocol RequestWriter {
    /// - Parameter losses: what the format cannot express is dropped there.
    static func write(
        _ request: ModelRequest, for target: TargetTraits, _ losses: inout Losses
    ) throws(TranslationError) -> WrittenRequest
}

/// What the upstream that a request is for needs to be told.
package struct TargetTraits: Equatable, Sendable {
    /// The upstream's name for the model; nil where it is the client's.
    package var model: String?
    /// Written where the client sets no limit and the format demands one.
    package var usualMaximumTokens = 8192
    /// Whether it is OpenAI's API itself, or Azure's copy of it. Others with the same API know `max_tokens` instead of
    /// `max_completion_tokens`, parse the arguments of earlier calls, and take one system message.
    package var isOpenAIsOwn = false
    /// Says which upstream it is, to know again what it made; letters and digits.
    package var provider = ""
    private var writtenJoining: Bool?

    /// Whether all instructions become one system message, the first: many chat templates refuse any other.
    package var joinsSystemMessages: Bool {
        get { writtenJoining ?? !isOpenAIsOwn }
        set { writtenJoining = newValue }
    }

    package init(model: String? = nil) { self.model = model }
}

struct WrittenRequest: Equatable {
    var body: JSONObject
    /// The client's names of tools, by the names that the upstream is told, where they differ.
    var toolNames: [String: String] = [:]
}

/// A request in the upstream's format, and what its response needs to become one of the client's.
package struct TranslatedRequest: Sendable {
    package var body: [UInt8]
    /// Members of the client's request that are not in it.
    package var dropped: [String]
    package var context: ResponseContext
}

/// What of a request decides how its response is written.
package struct ResponseContext: Equatable, Sendable {
    /// A part of the ids that the response and its items get; letters, digits and `_`.
    package var id = ""
    /// Seconds since 1970.
    package var created = 0
    /// What Ollama's clients are told the times by.
    package var clock = ResponseClock()
    /// The model's name for the client.
    package var model = ""
    /// The upstream that makes it.
    package var provider = ""
    /// Whether a stream of chat completions ends with its usage.
    package var asksUsage = true
    /// The client's names of tools, by the upstream's, where they differ.
    package var toolNames: [String: String] = [:]
    /// The client's names of tools that take free text, which the upstream may know as functions.
    package var customTools: Set<String> = []
    /// Whether the client knows the older form of chat completions, in which a response has one call at most:
    /// `function_call`.
    package var knowsFunctionCalls = false
    /// Members of the request that a response of the Responses API repeats.
    package var echo = JSONObject()
    /// The response that it continues.
    package var previousResponseID: String?
    /// The conversation that it is part of.
    package var conversationID: String?
    /// Whether it is kept.
    package var isKept = false

    package init() {}

    /// The client's name for a tool of the upstream.
    func toolName(_ name: String) -> String { toolNames[name] ?? name }
}

package enum RequestTranslation {
    /// - Parameters:
    ///   - body: the client's, one JSON object.
    ///   - keepsResponses: whether whoever calls this does what `store` asks for.
    package static func translate(
        _ body: [UInt8], from client: ClientFormat, to upstream: WireFormat, for target: TargetTraits,
        keepsResponses: Bool = false
    ) throws(TranslationError) -> TranslatedRequest {
        var body = try object(body)
        if keepsResponses, client == .responses, body["store"] == true { body["store"] = false }
        var losses = Losses(client: client)
        var request = try client.requestReader.read(body, &losses)
        // Anthropic reads its own.
        if upstream != .messages { request.removeAgentNotes() }
        request.openCallIDs(for: upstream, target, &losses)
        guard request.callCount <= ToolCall.most else {
            throw TranslationError(
                "The conversation has more than \(ToolCall.most) calls of tools, which are not translated: leave "
                    + "older ones out."
            )
        }
        let written = try upstream.requestWriter.write(request, for: target, &losses)
        var context = ResponseContext()
        context.model = request.model
        context.provider = target.provider
        context.asksUsage = request.asksUsage
        context.toolNames = written.toolNames
        for case .custom(let name, _, _) in request.tools { context.customTools.insert(name) }
        context.knowsFunctionCalls = client == .chat && body.present("functions") != nil
        if client == .responses { context.echo = ResponsesEcho.members(of: body) }
        return TranslatedRequest(
            body: JSONValue.object(written.body).bytes, dropped: losses.dropped, context: context)
    }

    static func object(_ body: [UInt8]) throws(TranslationError) -> JSONObject {
        do throws(JSONError) {
            if let object = try JSONValue(body).object { return object }
        } catch {
            guard error.kind == .tooManyMembers else { throw TranslationError("The request is refused: \(error).") }
            throw TranslationError(
                "The request has more than \(JSONValue.mostValues) values, which are not translated: send less at a "
                    + "time."
            )
        }
        throw TranslationError("The request body is not a JSON object.")
    }
}

extension ClientFormat {
    var requestReader: any RequestReader.Type {
        switch self {
        case .chat: ChatRequestReader.self
        case .messages: MessagesRequestReader.self
        case .responses: ResponsesRequestReader.self
        case .ollamaChat: OllamaChatReader.self
        case .ollamaGenerate: OllamaGenerateReader.self
        }
    }
}

extension WireFormat {
    var requestWriter: any RequestWriter.Type {
        switch self {
        case .chat: ChatRequestWriter.self
        case .messages: MessagesRequestWriter.self
        case .responses: ResponsesRequestWriter.self
        }
    }
}
