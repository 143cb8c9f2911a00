internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgateRelay

/// Middleware that estimates the usage of requests whose upstreams do not count it.
struct UsageEstimation: RelayMiddleware {
    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        guard next.operation.hasEstimates, request.upload == nil, request.envelope.isWholePrompt else {
            return next(request, completion: completion)
        }
        let (record, prompt) = (request.metadata.record, request.envelope.bytes)
        return next(request) { result in
            if case .success(let response) = result { UsageEstimation.note(response, to: prompt, record) }
            completion(result)
        }
    }

    private static func note(_ response: ServerResponse, to prompt: [UInt8], _ record: RequestRecord) {
        switch response.body {
        case .bytes(let document)?:
            guard response.head.status == 200, document.count <= LongDocument.threshold else { return }
            record.facts.estimateUsage(prompt: UsageEstimate.prompt(prompt)) {
                UsageEstimate.completion(in: document)
            }
        case .stream?: record.count { EstimatedStream($0, prompt: UsageEstimate.prompt(prompt)) }
        case nil: break
        }
    }
}

/// Stream whose usage is estimated if it ends without one, without reading the stream.
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
        guard facts.finishReason != nil else { return }
        let octets = facts.writtenBytes
        facts.estimateUsage(prompt: prompt) { UsageEstimate.completion(bytes: octets) }
    }
}

extension Outcome {
    /// Fills in the counts that the upstream has not reported.
    fileprivate mutating func estimateUsage(prompt: @autoclosure () -> Int, completion: () -> Int) {
        guard promptTokens == nil || completionTokens == nil && !hasNoCompletion else { return }
        if promptTokens == nil { promptTokens = prompt() }
        if completionTokens == nil, !hasNoCompletion { completionTokens = completion() }
        notes.isEstimated = true
    }
}

extension RequestEnvelope {
    /// Whether it contains all that the model reads, and is short enough to be read on a loop.
    fileprivate var isWholePrompt: Bool {
        size <= LongDocument.threshold && !namesConversation && previousResponseID == nil
    }
}

extension RelayOperation {
    /// Whether the operation turns text into text or vectors.
    fileprivate var hasEstimates: Bool {
        let others = [OperationTable.ollamaEmbed.id, OperationTable.ollamaEmbeddings.id]
        return hasCacheableResponses || others.contains(id)
    }
}

extension Capability {
    static let estimation = Capability(
        name: "estimation", perRequest: { context, _ in context.relay.readsCache ? UsageEstimation() : nil })
}
