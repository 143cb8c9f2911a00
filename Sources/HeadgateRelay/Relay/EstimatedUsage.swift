internal import HeadgateContract

/// Prompt of a request whose tokens are estimated if its upstream does not count them.
struct EstimatedUsage {
    private let prompt: [UInt8]

    /// Creates the prompt; nil if nothing is estimated. That is so if the request lacks part of what the model reads,
    /// its response is neither text nor vectors, or no capability needs the usage.
    @inline(__always)
    init?(_ request: RelayRequest, _ handler: RelayHandler) {
        guard handler.estimatesUsage, request.envelope.isWholePrompt, request.upload == nil else { return nil }
        prompt = request.envelope.bytes
    }

    /// Fills in the counts that a whole response lacks.
    ///
    /// - Parameter document: the response as the client gets it.
    func note(_ document: [UInt8], in facts: inout Outcome) {
        guard facts.lacksUsage, document.count <= LongDocument.threshold else { return }
        facts.estimateUsage(prompt: UsageEstimate.prompt(prompt), completion: UsageEstimate.completion(in: document))
    }

    /// Returns the account of a stream, which fills in the counts if the stream ends without them.
    func account(of stream: any StreamAccount) -> any StreamAccount {
        EstimatedStream(stream, prompt: UsageEstimate.prompt(prompt))
    }
}

/// Stream whose usage is estimated without reading the stream.
private final class EstimatedStream: StreamAccount {
    private let stream: any StreamAccount
    private let prompt: Int

    init(_ stream: any StreamAccount, prompt: Int) {
        self.stream = stream
        self.prompt = prompt
    }

    var brokenResponse: BrokenResponse { stream.brokenResponse }

    func note(in facts: inout Outcome) {
        stream.note(in: &facts)
        // The upstream might have reported more since.
        facts.notes.isEstimated = false
        // The usage of a stream that has broken off is unknown.
        guard facts.finishReason != nil, facts.lacksUsage else { return }
        let written = facts.writtenBytes
        facts.estimateUsage(prompt: prompt, completion: UsageEstimate.completion(bytes: written))
    }
}

extension Outcome {
    fileprivate var lacksUsage: Bool { promptTokens == nil || completionTokens == nil && !hasNoCompletion }

    /// Fills in the counts that the upstream has not reported.
    fileprivate mutating func estimateUsage(prompt: @autoclosure () -> Int, completion: @autoclosure () -> Int) {
        if promptTokens == nil { promptTokens = prompt() }
        if completionTokens == nil, !hasNoCompletion { completionTokens = completion() }
        notes.isEstimated = true
    }
}

extension RequestEnvelope {
    /// Whether the request contains all that the model reads, and is short enough to be parsed on a loop.
    fileprivate var isWholePrompt: Bool {
        size <= LongDocument.threshold && !namesConversation && !continuesResponse
    }
}

extension RelayOperation {
    /// Whether the operation turns text into text or vectors, so that its tokens can be estimated.
    var hasEstimates: Bool {
        let others = [OperationTable.ollamaEmbed.id, OperationTable.ollamaEmbeddings.id]
        return hasCacheableResponses || others.contains(id)
    }
}
