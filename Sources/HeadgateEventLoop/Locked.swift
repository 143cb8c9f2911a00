internal import CHeadgate

/// A value behind a mutex, for the few places where loops share state. Hold times are bounded: no call-outs under the
/// lock.
///
/// A pthread mutex rather than `Synchronization.Mutex`, which ThreadSanitizer does not understand on Linux.
package final class Locked<Value>: @unchecked Sendable {
    private let lock = headgate_lock_create()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    deinit { headgate_lock_destroy(lock) }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        headgate_lock_acquire(lock)
        defer { headgate_lock_release(lock) }
        return try body(&value)
    }
}
