/// A piece of a streamed response of any kind.
public protocol CompletionChunk: Decodable, Sendable {
    /// Indexes of the choices that this piece finishes.
    var finishedChoices: [Int] { get }
    /// Text added to the first choice.
    var addedText: String { get }

    /// Reads a whole response, which some servers send instead of a stream.
    ///
    /// - Throws: ``HeadgateClientError/decoding(_:)``.
    init(decodingWhole body: [UInt8]) throws
}

extension ChatCompletionChunk: CompletionChunk {
    /// Indexes of the choices that this piece finishes.
    public var finishedChoices: [Int] { choices.filter { $0.finishReason != nil }.map(\.index) }
    /// Text added to the first choice.
    public var addedText: String { choices.filter { $0.index == 0 }.compactMap(\.delta.content).joined() }

    /// Creates one piece from a whole chat completion.
    ///
    /// - Throws: ``HeadgateClientError/decoding(_:)``.
    public init(decodingWhole body: [UInt8]) throws {
        self.init(whole: try JSONCoding.decode(ChatCompletion.self, from: body))
    }

    init(whole: ChatCompletion) {
        self.init(
            id: whole.id, model: whole.model,
            choices: whole.choices.map { choice in
                let message = choice.message
                let calls = message.toolCalls.enumerated().map { index, call in
                    ToolCallFragment(
                        index: index, id: call.id, name: call.name, arguments: call.arguments,
                        additional: call.additional)
                }
                let delta = Delta(
                    role: message.role, content: message.content?.text, reasoning: message.reasoning,
                    refusal: message.refusal, toolCalls: calls, additional: message.additional)
                return Choice(
                    index: choice.index, delta: delta, finishReason: choice.finishReason ?? .stop,
                    logProbabilities: choice.logProbabilities, additional: choice.additional)
            },
            usage: whole.usage, created: whole.created, systemFingerprint: whole.systemFingerprint,
            additional: whole.additional)
    }
}

extension TextCompletion: CompletionChunk {
    /// Indexes of the texts that this piece finishes.
    public var finishedChoices: [Int] { choices.filter { $0.finishReason != nil }.map(\.index) }
    /// Text added to the first choice.
    public var addedText: String { text }

    /// Creates one piece from a whole completion.
    ///
    /// - Throws: ``HeadgateClientError/decoding(_:)``.
    public init(decodingWhole body: [UInt8]) throws {
        self = try JSONCoding.decode(from: body)
        for index in choices.indices where choices[index].finishReason == nil { choices[index].finishReason = .stop }
    }
}
