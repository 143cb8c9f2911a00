internal import HeadgateDialects
internal import HeadgateHTTP

/// Stream of the Responses API that adds the name of its conversation to the response.
final class ConversationStream: StreamTransform {
    var assembler: EventAssembler
    private let events: TypedStreamTransform
    private let conversation: ResponseConversation
    private let ended: ([UInt8]) -> Void

    /// - Parameters:
    ///   - events: transform that every event passes through.
    ///   - ended: called with the whole response once it is complete, before the client receives its end.
    init(
        _ events: TypedStreamTransform, in conversation: ResponseConversation, errors: UpstreamErrorReading,
        eventLimit: Int, ended: @escaping ([UInt8]) -> Void
    ) {
        self.events = events
        self.conversation = conversation
        self.ended = ended
        assembler = EventAssembler(errors: errors, eventLimit: eventLimit)
    }

    var counts: StreamCounts {
        get { events.counts }
        set { events.counts = newValue }
    }
    var usageDetails: UsageDetails {
        get { events.usageDetails }
        set { events.usageDetails = newValue }
    }
    var brokenResponse: BrokenResponse { events.brokenResponse }
    var namesEvents: Bool { true }

    func relay(_ document: UnsafeRawBufferPointer, _ name: EventName, into output: inout [UInt8]) throws {
        guard let (event, complete) = try conversation.named(event: document) else {
            return try events.relay(document, name, into: &output)
        }
        do {
            try event.withUnsafeBytes { try events.relay($0, name, into: &output) }
        } catch let decided as EventAssembler.Decided {
            if case .finished = decided.verdict, let complete { ended(complete) }
            throw decided
        }
    }

    func relayKnown(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) -> Int {
        events.relayKnown(chunk, into: &output)
    }

    func receiveDone(into output: inout [UInt8]) throws { try events.receiveDone(into: &output) }

    func appendEnd(to output: inout [UInt8]) -> Bool { events.appendEnd(to: &output) }
}
