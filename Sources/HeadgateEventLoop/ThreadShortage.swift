package import Glibc

/// The system gives this process no further thread.
package struct ThreadShortage: Error, CustomStringConvertible {
    /// An errno.
    package let error: Int32

    package var description: String {
        "the system gives no more threads (\(String(cString: strerror(error)))): raise the limit of processes "
            + "(ulimit -u, TasksMax, --pids-limit)"
    }
}

/// Starts a thread with the object, which is retained for it. The caller joins or detaches it.
package func startThread(
    running body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?, with object: AnyObject
) throws(ThreadShortage) -> pthread_t {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(object)
    let status = pthread_create(&thread, nil, body, context.toOpaque())
    guard status == 0 else {
        context.release()
        throw ThreadShortage(error: status)
    }
    return thread
}
