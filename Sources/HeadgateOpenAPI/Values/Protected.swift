#if canImport(os)
    internal import os
#elseif canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// A value behind a lock, for what several threads share. The lock is held for as long as the closure runs: keep it
/// short.
package final class Protected<Value: Sendable>: Sendable {
    #if canImport(os)
        // `Mutex` needs iOS 18 and macOS 15.
        private let lock: OSAllocatedUnfairLock<Value>

        package init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }

        package func withLock<Result: Sendable>(_ body: @Sendable (inout Value) throws -> Result) rethrows -> Result {
            try lock.withLock(body)
        }
    #else
        // ThreadSanitizer does not understand `Synchronization.Mutex` on Linux.
        private nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private nonisolated(unsafe) var value: Value

        package init(_ value: Value) {
            self.value = value
            lock.initialize(to: pthread_mutex_t())
            pthread_mutex_init(lock, nil)
        }

        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }

        package func withLock<Result: Sendable>(_ body: @Sendable (inout Value) throws -> Result) rethrows -> Result {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value)
        }
    #endif
}
