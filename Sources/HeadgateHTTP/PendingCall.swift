/// Work in steps. Each step is a call that returns what gives it up, or is over before it returns; whoever gives the
/// work up gives up the step that it is in, whether that has begun, is about to, or follows the one that ends.
///
/// Loop-confined. The work is told of the end of each step all the same: a step that is given up ends in failure.
open class PendingCall: Cancellable {
    private var step: (any Cancellable)?
    /// Of the latest step: one that ends before its call returns has moved on to the next by then.
    private var number: UInt32 = 0
    /// Whether the work was given up.
    package private(set) final var isCancelled = false

    package init() {}

    /// Begins a step.
    ///
    /// - Parameter call: returns what gives the step up; nil when it is over already, or cannot be given up.
    @inlinable
    package final func wait(for call: () -> (any Cancellable)?) {
        let number = begin()
        if let step = call() { keep(step, number) }
    }

    @usableFromInline
    final func begin() -> UInt32 {
        number &+= 1
        return number
    }

    @usableFromInline
    final func keep(_ step: any Cancellable, _ number: UInt32) {
        guard number == self.number else { return }
        self.step = step
        if isCancelled { step.cancel() }
    }

    /// The step is over: its completion says so before it does anything else.
    package final func stepEnded() {
        number &+= 1
        step = nil
    }

    /// Gives up the step that is under way; its completion says so.
    public final func cancel() {
        isCancelled = true
        // Not kept: a timer, say, that is called off never ends, and may hold whoever waited for it.
        let step = step
        self.step = nil
        step?.cancel()
    }
}
