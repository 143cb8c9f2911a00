internal import CHeadgate
internal import HeadgateLibC

/// Error if the system cannot start another thread for this process.
package struct ThreadShortage: Error, CustomStringConvertible {
    /// An errno.
    package let error: Int32

    package var description: String {
        "the system gives no more threads (\(String(cString: strerror(error)))): raise the limit of processes "
            + "(ulimit -u, TasksMax, --pids-limit)"
    }
}

/// Started thread, to be joined or detached once.
package struct StartedThread: Sendable {
    fileprivate let number: UInt

    package func join() { headgate_thread_join(number) }
    package func detach() { headgate_thread_detach(number) }
}

/// Starts a thread with an object that is retained for it.
package func startThread(
    running body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?, with object: AnyObject
) throws(ThreadShortage) -> StartedThread {
    var number: UInt = 0
    let context = Unmanaged.passRetained(object)
    let status = headgate_thread_start(body, context.toOpaque(), &number)
    guard status == 0 else {
        context.release()
        throw ThreadShortage(error: -status)
    }
    return StartedThread(number: number)
}
