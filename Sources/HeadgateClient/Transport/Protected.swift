#if canImport(os)
    internal import os
#else
    internal import Synchronization
#endif

/// A value behind a lock, for what several threads share. The lock is held for as long as the closure runs: keep it short.
package final class Protected<Value: Sendable>: Sendable {
    #if canImport(os)
        // `Mutex` needs iOS 18 and macOS 15.
        private let lock: OSAllocatedUnfairLock<Value>

        package init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }

        package func withLock<Result: Sendable>(_ body: @Sendable (inout Value) throws -> Result) rethrows -> Result {
            try lock.withLock(body)
        }
    #else
        private let lock: Mutex<Value>

        package init(_ value: Value) { lock = Mutex(value) }

        package func withLock<Result: Sendable>(_ body: @Sendable (inout Value) throws -> Result) rethrows -> Result {
            try lock.withLock { value in try body(&value) }
        }
    #endif
}
