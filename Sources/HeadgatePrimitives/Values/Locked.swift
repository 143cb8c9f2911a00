package import HeadgateLibC

/// A value behind a mutex, which several threads can share. Keep the lock for a short time, and call no other code
/// under it.
///
/// It uses a pthread mutex instead of `Synchronization.Mutex`, which ThreadSanitizer does not understand on Linux.
package final class Locked<Value>: @unchecked Sendable {
    @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// Exclusivity is unchecked because the mutex permits one access at a time (decision 4).
    @exclusivity(unchecked) @usableFromInline var value: Value

    package init(_ value: sending Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @inlinable package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
