/// Work in steps. Each step is a call that returns a handle to cancel it, or ends before it returns. Cancelling the
/// work cancels its current step, or the next one as soon as it begins.
///
/// Loop-confined. The completion of each step is called in any case: a cancelled step fails.
open class PendingCall: Cancellable {
    // Read and written at once, never while other code is called.
    @exclusivity(unchecked) private var step: (any Cancellable)?
    /// Number of the latest step. A step that ends before its call returns can already have begun the next one.
    @exclusivity(unchecked) private var number: UInt32 = 0
    /// Whether the work was cancelled.
    @exclusivity(unchecked) package private(set) final var isCancelled = false

    package init() {}

    /// Begins a step.
    ///
    /// - Parameter call: returns a handle that cancels the step; nil if the step is already over, or cannot be
    ///   cancelled.
    @inlinable
    package final func wait(for call: () -> (any Cancellable)?) {
        let number = begin()
        if let step = call() { keep(step, number) }
    }

    /// Begins a step without a closure, for a caller that would copy much into one.
    ///
    /// - Returns: the number of the step, for ``keep(_:_:)``.
    @usableFromInline package final func begin() -> UInt32 {
        number &+= 1
        return number
    }

    /// Stores what cancels a step, unless the step is over already.
    @usableFromInline package final func keep(_ step: any Cancellable, _ number: UInt32) {
        guard number == self.number else { return }
        self.step = step
        if isCancelled { step.cancel() }
    }

    /// Notes that the step is over. Its completion calls this before anything else.
    package final func stepEnded() {
        number &+= 1
        step = nil
    }

    /// Cancels the current step, whose completion is called.
    public final func cancel() {
        isCancelled = true
        // The step is released, since a cancelled timer never ends its step, and its closure can hold this object.
        let step = step
        self.step = nil
        step?.cancel()
    }
}
