/// A separately allocated value, for state on the path of every event.
///
/// Overlapping accesses to a class's stored property are detected at run time if the compiler cannot rule them out.
/// These checks took a fifth of the instructions of an event (decision 4). A cell has no checks, so no access may call
/// code that could access the same value.
package struct Cell<Value>: ~Copyable {
    @usableFromInline let address: UnsafeMutablePointer<Value>

    @inlinable
    package init(_ value: Value) {
        address = .allocate(capacity: 1)
        address.initialize(to: value)
    }

    @inlinable
    deinit {
        address.deinitialize(count: 1)
        address.deallocate()
    }

    @inlinable
    package var value: Value {
        unsafeAddress { UnsafePointer(address) }
        nonmutating unsafeMutableAddress { address }
    }
}

/// Loop-confined value that passes through a task or another thread. Every access checks that it is on the loop.
package struct LoopBound<Value>: @unchecked Sendable {
    package let loop: EventLoop
    @usableFromInline let stored: Value

    @inlinable
    package init(_ value: Value, on loop: EventLoop) {
        self.loop = loop
        stored = value
    }

    @inline(__always) @inlinable
    package var value: Value {
        precondition(loop.isCurrent, "a loop-confined value was used on another thread")
        return stored
    }
}
