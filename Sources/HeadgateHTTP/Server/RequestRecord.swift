/// Everything that becomes known about one request while it is served, completed exactly once into an ``Outcome``.
///
/// Loop-confined. Whatever happens first (the last byte written, a client that leaves, a drain) completes it; the rest is a no-op.
package final class RequestRecord {
    /// The facts so far.
    ///
    /// In memory of their own: all steps of a request write here, and each access to a stored property would be checked at run time.
    /// No access lasts longer than the reading or writing of a member, or a call to who counts or observes, none of whom has the record.
    @inlinable package var facts: Outcome {
        unsafeAddress { UnsafePointer(storage) }
        unsafeMutableAddress { storage }
    }

    @usableFromInline let storage: UnsafeMutablePointer<Outcome>
    private var observers: [any OutcomeObserver] = []
    private var activity: (any RequestActivity)?
    /// Who was last given to ``ask(_:)``, until the outcome.
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

    /// Who hears of the outcome, in this order. Set when the request is first seen, from a list made once for all of them.
    package func observe(_ observers: [any OutcomeObserver]) { self.observers = observers }

    /// Counts the request as under way at an upstream until its outcome, or until another attempt begins. What an
    /// attempt before this one has found is forgotten.
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

    /// Who counts while the answer is under way, and is asked once, at the outcome: what changes with every event is not copied with each.
    package func ask(_ counts: any RequestCounts) {
        if !isCompleted { self.counts = counts }
    }

    /// Counts the request as under way no more, before its outcome: it may begin elsewhere.
    package func leave() {
        activity?.end(&facts)
        activity = nil
    }

    /// What began as a question for one answer turns out to be a stream.
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

    /// The response's end as the connection saw it. How the answer ended, where something else decided it, has precedence.
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
