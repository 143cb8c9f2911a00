/// Everything that becomes known about one request while it is served, completed exactly once into an ``Outcome``.
///
/// Loop-confined. Whatever happens first (the last byte written, a client that leaves, a drain) completes it; the rest
/// is a no-op.
package final class RequestRecord {
    /// The facts so far.
    ///
    /// Allocated separately: each access to a stored property would be checked at run time, and all steps of a request
    /// write here. An access lasts for one member, or a call to counters and observers, which do not have the record.
    @inlinable package var facts: Outcome {
        unsafeAddress { UnsafePointer(storage) }
        unsafeMutableAddress { storage }
    }

    @usableFromInline let storage: UnsafeMutablePointer<Outcome>
    private var observers: [any OutcomeObserver] = []
    private var activity: (any RequestActivity)?
    /// The latest argument of ``ask(_:)``, until the outcome.
    package private(set) var counts: (any RequestCounts)?
    private let now: () -> UInt64

    /// - Parameter clock: monotonic nanoseconds.
    package init(clock: @escaping () -> UInt64) {
        now = clock
        storage = .allocate(capacity: 1)
        storage.initialize(to: Outcome(startedAt: clock()))
    }

    deinit {
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    package var isComplete: Bool { isCompleted }
    private var isCompleted = false

    /// The observers of the outcome, in this order. Set at the start of the request.
    package func observe(_ observers: [any OutcomeObserver]) { self.observers = observers }

    /// Counts the request as in flight at an upstream until its outcome, or until another attempt begins. The facts of
    /// an earlier attempt are reset.
    package func beginAttempt(at activity: any RequestActivity) {
        guard !isCompleted else { return }
        leave()
        facts.upstreamStatus = nil
        facts.firstContentAt = nil
        counts = nil
        enter(activity)
    }

    private func enter(_ activity: any RequestActivity) {
        self.activity = activity
        activity.begin(isStream: facts.isStream)
    }

    /// Sets the counter that is read once, at the outcome, so that counts need not be copied with every event.
    package func ask(_ counts: any RequestCounts) {
        if !isCompleted { self.counts = counts }
    }

    /// Ends the count as in flight before the outcome: another attempt may begin.
    package func leave() {
        activity?.end(&facts)
        activity = nil
    }

    /// The response turns out to be a stream.
    package func becomeStream() {
        let activity = activity
        leave()
        facts.isStream = true
        if let activity { enter(activity) }
    }

    /// Notes the first content byte on its way downstream.
    package func noteFirstContent() {
        if facts.firstContentAt == nil { facts.firstContentAt = now() }
    }

    /// The response's end as the connection saw it; an end that was decided before has precedence.
    package func complete(_ end: Outcome.End) {
        guard !isCompleted else { return }
        isCompleted = true
        counts?.note(in: &facts)
        counts = nil
        facts.end = facts.decidedEnd ?? end
        facts.endedAt = now()
        for observer in observers { observer.observe(&facts) }
        activity?.end(&facts)
        activity = nil
    }
}
