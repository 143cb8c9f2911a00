/// A loop-confined value that has to travel through a task or another thread: every access checks that it is back home.
package struct LoopBound<Value>: @unchecked Sendable {
    package let loop: EventLoop
    private let stored: Value

    package init(_ value: Value, on loop: EventLoop) {
        self.loop = loop
        stored = value
    }

    package var value: Value {
        precondition(loop.isCurrent, "a loop-confined value was used on another thread")
        return stored
    }
}
