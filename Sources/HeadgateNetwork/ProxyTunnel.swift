internal import HTTPTypes
internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateLibC

/// Requests a tunnel from a connected proxy. Bytes behind the proxy's response stay in the socket, since they are the
/// target's first bytes. Loop-confined.
final class ProxyTunnel {
    private let loop: EventLoop
    private var descriptor: Int32
    private var completion: ((Result<Int32, Connector.Failure>) -> Void)?
    private var request: ArraySlice<UInt8> = []
    private var parser = ResponseHeadParser(requestMethod: .connect)
    private var event: SocketEvent?

    /// - Parameters:
    ///   - descriptor: a connected socket, which is closed unless the completion gets it back.
    ///   - completion: called once, unless this is cancelled.
    init(loop: EventLoop, descriptor: Int32, completion: @escaping (Result<Int32, Connector.Failure>) -> Void) {
        self.loop = loop
        self.descriptor = descriptor
        self.completion = completion
    }

    deinit { cancel() }

    /// Sends the request. Can complete before this returns.
    func start(_ request: [UInt8]) {
        self.request = request[...]
        send()
    }

    /// Cancels the operation. The completion is not called.
    func cancel() {
        completion = nil
        event?.remove()
        if descriptor >= 0 { HeadgateLibC.close(descriptor) }
        descriptor = -1
    }

    private func wait(for kind: SocketEvent.Kind, then action: @escaping (ProxyTunnel) -> Void) {
        event?.remove()
        let event = SocketEvent(loop: loop, descriptor: descriptor, kind: kind) { [unowned self] in action(self) }
        self.event = event
        event.add()
    }

    private func send() {
        while !request.isEmpty {
            let count = request.withUnsafeBytes { bytes in
                let count = HeadgateLibC.send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
                return count < 0 ? -Int(errno) : count
            }
            if count == -Int(EINTR) { continue }
            if count == -Int(EAGAIN) { return wait(for: .write) { $0.send() } }
            guard count >= 0 else { return fail("sending to the proxy failed: \(systemErrorText(Int32(-count)))") }
            request = request.dropFirst(count)
        }
        wait(for: .read) { $0.receive() }
    }

    private func receive() {
        let buffer = loop.readBuffer
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK))
        guard count > 0 else {
            if count == 0 { return fail("the proxy closed the connection before it answered") }
            if errno == EAGAIN || errno == EINTR { return }
            return fail("receiving from the proxy failed: \(systemErrorText(errno))")
        }
        var taken = 0
        do throws(HTTPSyntaxError) {
            let head = try parser.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &taken)
            // Removes the peeked bytes of the head, and no others.
            recv(descriptor, buffer.baseAddress, taken, 0)
            if let head { answered(head.status) }
        } catch {
            fail("the proxy's answer is not an HTTP response: \(error.explanation)")
        }
    }

    private func answered(_ status: Int) {
        switch status {
        case 200..<300:
            let tunnel = descriptor
            event?.remove()
            descriptor = -1
            finish(.success(tunnel))
        case 407:
            fail(
                "the proxy answered 407: it wants credentials: set `proxy: http://user:password@host:port`"
            )
        default: fail("the proxy answered \(status) instead of opening a tunnel")
        }
    }

    private func fail(_ reason: String) { finish(.failure(.proxy(reason))) }

    private func finish(_ result: Result<Int32, Connector.Failure>) {
        let completion = completion
        cancel()
        completion?(result)
    }
}
