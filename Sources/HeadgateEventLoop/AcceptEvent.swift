internal import CLibevent
internal import HeadgateLibC

/// Listening socket on a loop. It owns the descriptor and closes it at the end.
package final class AcceptEvent {
    package let descriptor: Int32
    private var listener: OpaquePointer?
    private unowned let loop: EventLoop
    private let accepted: (Int32) -> Void
    private let failed: (Int32) -> Void

    /// - Parameters:
    ///   - descriptor: a bound, listening and non-blocking socket.
    ///   - accepted: called with each new connection, which it owns, and which is non-blocking and close-on-exec.
    ///   - failed: called with the errno of a failed accept, such as EMFILE. The listener is disabled until
    ///     ``enable()``, since the socket stays readable and would spin the loop.
    package init(
        loop: EventLoop, descriptor: Int32, accepted: @escaping (Int32) -> Void, failed: @escaping (Int32) -> Void
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.accepted = accepted
        self.failed = failed
        let flags = UInt32(LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC)
        listener = evconnlistener_new(
            loop.base, connectionAccepted, Unmanaged.passUnretained(self).toOpaque(), flags, 0, descriptor)
        evconnlistener_set_error_cb(listener, acceptFailed)
    }

    deinit { if let listener { evconnlistener_free(listener) } }

    package func enable() { if let listener { evconnlistener_enable(listener) } }
    package func disable() { if let listener { evconnlistener_disable(listener) } }

    /// Stops listening at once and closes the socket.
    package func close() {
        if let listener { evconnlistener_free(listener) }
        listener = nil
    }

    fileprivate func didAccept(_ descriptor: Int32) { loop.callback { accepted(descriptor) } }

    fileprivate func didFail(_ error: Int32) {
        disable()
        loop.callback { failed(error) }
    }
}

private func connectionAccepted(
    _: OpaquePointer?, _ descriptor: Int32, _: UnsafeMutablePointer<sockaddr>?, _: Int32,
    _ context: UnsafeMutableRawPointer?
) {
    guard let context else { return }
    let listener = Unmanaged<AcceptEvent>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(listener) { listener.didAccept(descriptor) }
}

private func acceptFailed(_: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    let error = errno
    guard let context else { return }
    let listener = Unmanaged<AcceptEvent>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(listener) { listener.didFail(error) }
}
