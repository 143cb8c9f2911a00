package import HeadgateHTTP

/// Record of the facts about one request while it is served, completed exactly once into an ``Outcome``.
///
/// Loop-confined. The first end (the last byte written, a disconnect, a drain) completes it; later ones have no effect.
package final class RequestRecord: RequestContext {
    /// The facts so far.
    ///
    /// Allocated separately, because each access to a stored property would be checked at run time, and all steps of a
    /// request write here. An access lasts for one member, or for one call to a counter or an observer, none of which
    /// has the record.
    package var facts: Outcome {
        unsafeAddress { UnsafePointer(storage) }
        unsafeMutableAddress { storage }
    }

    // Other modules reach the properties with unchecked exclusivity through accessors, because their direct accesses
    // would be checked (decision 4).
    @exclusivity(unchecked) @usableFromInline var ownKey: ClientKey?
    @exclusivity(unchecked) @usableFromInline var ownDialect: Dialect?
    @exclusivity(unchecked) @usableFromInline var hasEnded = false
    /// Number of holders that delay the outcome; 32 bits wide to fill padding.
    private var holders: Int32 = 0
    @exclusivity(unchecked) @usableFromInline var ownLease: (any RequestLease)?

    private let storage: UnsafeMutablePointer<Outcome>
    private var observers: [OutcomeFunction] = []
    /// The current attempt.
    private var attempt: (any AttemptAccount)?
    @exclusivity(unchecked) @usableFromInline var account: (any StreamAccount)?
    private let clock: () -> UInt64

    /// - Parameter clock: returns monotonic nanoseconds.
    package init(clock: @escaping () -> UInt64) {
        self.clock = clock
        storage = .allocate(capacity: 1)
        storage.initialize(to: Outcome(startedAt: clock()))
    }

    /// Creates the record of one of two concurrent attempts, which is separate until it is adopted.
    package init(beside request: RequestRecord) {
        clock = request.clock
        ownKey = request.ownKey
        ownDialect = request.ownDialect
        storage = .allocate(capacity: 1)
        storage.initialize(to: request.facts)
    }

    deinit {
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    /// Key of the client, set by authentication; nil on routes without authentication.
    package var key: ClientKey? {
        @inlinable get { ownKey }
        @inlinable set { ownKey = newValue }
    }

    /// Dialect of the matched route; nil until a route has matched.
    package var dialect: Dialect? {
        @inlinable get { ownDialect }
        @inlinable set { ownDialect = newValue }
    }

    /// Claim of the request on its limits; nil if there is none.
    package var lease: (any RequestLease)? {
        @inlinable get { ownLease }
        @inlinable set { ownLease = newValue }
    }

    @inlinable package var isComplete: Bool { hasEnded }
    /// The latest argument of ``track(_:)``, until the outcome.
    @inlinable package var transform: (any StreamAccount)? { account }

    /// Current time, in monotonic nanoseconds.
    package var now: UInt64 { clock() }
    package var requestID: String { facts.requestID }
    /// Whether the attempt can continue after the client disconnected: other clients get the same response, or the
    /// gateway continues to read it.
    package var isShared: Bool { holders > 0 }

    /// Sets the observers of the outcome, in this order, at the start of the request.
    package func observe(_ observers: [OutcomeFunction]) { self.observers = observers }

    /// Counts the request as in flight at an upstream until its outcome, or until another attempt begins. The facts of
    /// an earlier attempt are reset.
    func begin(_ attempt: any AttemptAccount) {
        // After the client disconnected, another attempt can begin only if the attempt can continue without the client.
        guard !isComplete || isShared else { return attempt.finish(&facts) }
        leave()
        self.attempt = attempt
        facts.upstreamStatus = nil
        facts.firstContentAt = nil
        account = nil
        attempt.activity.begin(isStream: facts.isStream)
    }

    /// Sets the transform whose counts are read once, at the outcome, so that they need not be copied with every event.
    func track(_ transform: any StreamTransform) {
        if !isComplete || isShared { account = transform }
    }

    /// Replaces the account that counts the stream sent downstream.
    package func count(_ counting: (any StreamAccount) -> any StreamAccount) { account = account.map(counting) }

    /// Delays the outcome's observers, and lets the attempt continue, until a ``release()``: see ``HeldOutcome``.
    func hold() { holders += 1 }

    /// Ends a hold. Reports the outcome after the last release, if the response continued without its client.
    func release() {
        holders -= 1
        guard !isShared, isComplete else { return }
        facts.endedAt = now
        leaveDeparted()
        // Both were estimated earlier, when the client disconnected.
        if transform != nil { (facts.notes.cost, facts.notes.isEstimated) = (nil, false) }
        transform?.note(in: &facts)
        notifyObservers()
    }

    private func notifyObservers() {
        account = nil
        lease?.assumeUse(in: &facts)
        for observe in observers { observe(&facts) }
        if let lease = ownLease.take() {
            lease.settle(&facts)
        }
    }

    /// Ends the in-flight count of the attempt before the outcome, so that another attempt can begin.
    func leave() {
        guard let attempt = attempt.take() else { return }
        attempt.activity.end(&facts)
        attempt.finish(&facts)
    }

    /// Reports the upstream's real end to the target after the client disconnected; the request's own end does not
    /// change.
    private func leaveDeparted() {
        let end = facts.end
        facts.end = facts.decidedEnd ?? end
        leave()
        facts.end = end
    }

    /// Ends the attempt without an outcome; the request continues.
    ///
    /// - Parameter instant: monotonic nanoseconds.
    func leave(at instant: UInt64) {
        facts.endedAt = instant
        leave()
    }

    /// Copies the facts of an attempt to the request.
    func follow(_ attempt: RequestRecord) { facts.take(attempt.facts) }

    /// Continues with an attempt that has a response.
    func adopt(_ attempt: RequestRecord) {
        follow(attempt)
        self.attempt = attempt.attempt.take()
        guard !isComplete || isShared else { return leave() }
        account = attempt.account.map { AdoptedStream($0, notedIn: attempt) }
    }

    /// Counts the response as a stream, after it turned out to be one.
    func becomeStream() {
        attempt?.activity.end(&facts)
        facts.isStream = true
        attempt?.activity.begin(isStream: true)
    }

    /// Records the time of the first content byte on its way downstream.
    func noteFirstContent() {
        if facts.firstContentAt == nil { facts.firstContentAt = now }
    }

    package func decide(_ end: RequestEnd) { facts.decidedEnd = end }

    package func complete(_ end: RequestEnd, bytesReceived: Int = 0, bytesSent: Int = 0, maximumQueuedBytes: Int = 0) {
        guard !isComplete else { return }
        hasEnded = true
        transform?.note(in: &facts)
        facts.bytesReceived = bytesReceived
        facts.bytesSent = bytesSent
        facts.maximumQueuedBytes = maximumQueuedBytes
        if end == .timedOut { facts.noteStall() }
        facts.end = facts.decidedEnd ?? end
        facts.endedAt = now
        guard !isShared else { return }
        notifyObservers()
        leave()
    }
}

/// Stream of an adopted attempt. Also copies facts from the attempt's record to the request's.
private final class AdoptedStream: StreamAccount {
    private let stream: any StreamAccount
    private let record: RequestRecord

    init(_ stream: any StreamAccount, notedIn record: RequestRecord) {
        self.stream = stream
        self.record = record
    }

    var brokenResponse: BrokenResponse { stream.brokenResponse }

    func note(in facts: inout Outcome) {
        stream.note(in: &facts)
        facts.firstContentAt = record.facts.firstContentAt
        facts.isUncleanEnd = record.facts.isUncleanEnd
        facts.decidedEnd = facts.decidedEnd ?? record.facts.decidedEnd
        guard facts.errorCode == nil else { return }
        facts.errorCode = record.facts.errorCode
        facts.errorLabel = record.facts.errorLabel
        facts.errorDetail = record.facts.errorDetail
        facts.isUpstreamsFault = record.facts.isUpstreamsFault
    }
}

extension Outcome {
    /// Records that the client stopped reading.
    fileprivate mutating func noteStall() {
        errorCode = "client_stalled"
        errorLabel = errorCode
    }

    /// Copies the result of an attempt.
    fileprivate mutating func take(_ attempt: Outcome) {
        model = attempt.model
        upstream = attempt.upstream
        upstreamStatus = attempt.upstreamStatus
        firstContentAt = attempt.firstContentAt
        isStream = attempt.isStream
        promptTokens = attempt.promptTokens
        completionTokens = attempt.completionTokens
        finishReason = attempt.finishReason
        notes[.injectedFault] = attempt.notes[.injectedFault]
        if let repairs = attempt.notes[.repairs] { notes[.repairs] = repairs }
        if !attempt.notes.isEmpty {
            notes.usage = attempt.notes.usage
            notes.isEstimated = attempt.notes.isEstimated
        }
    }
}

extension ServerRequestMetadata {
    /// Record of this request. The gateway creates the context of every request that it receives.
    package var record: RequestRecord {
        guard let record = context as? RequestRecord else { preconditionFailure("the context is another responder's") }
        return record
    }

    package var caller: ClientKey { record.key ?? .unknown }
    package var dialect: Dialect? { record.dialect }
}

extension RequestRecord {
    /// Records an error that is sent to the client, and the end that follows from it.
    package func note(_ error: GatewayError) {
        facts.errorCode = error.label
        facts.errorLabel = error.metricLabel
        facts.errorDetail = error.detail
        facts.requestedModel = error.requestedModel
        facts.isUpstreamsFault = error.origin == .upstream
        facts.decidedEnd = error.cause.end
    }
}
