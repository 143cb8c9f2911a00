internal import HTTPTypes
internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateNetwork

/// One downstream connection. It reads requests, passes them to the responder, and writes the responses in order.
///
/// Reading stops only while a request's body waits for its reader. A disconnect (FIN, half-close, reset) is then
/// noticed within a second, and at once in every other phase. Loop-confined; retained by its registry until it closes.
final class HTTPConnection: ByteChannelOwner {
    let channel: ByteChannel
    var loop: EventLoop { channel.loop }
    let limits: ConnectionLimits
    let ends: ConnectionEnds
    // Unchecked: the parser and the state machine call no other code, nor does anything that changes the pending bytes.
    @exclusivity(unchecked) var exchange: HTTPExchange?

    var phase: StateMachine.Phase { machine.phase }
    var isDraining: Bool { machine.isDraining }
    var responder: any RequestResponder { slot.responder }

    @exclusivity(unchecked) private var machine = StateMachine()
    private let slot: ResponderSlot
    private let registry: ConnectionRegistry
    /// Clock of the loop, shared by all requests.
    private let clock: () -> UInt64
    @exclusivity(unchecked) private var parser = RequestHeadParser()
    /// Place of the last request's head in the loop's memo.
    @exclusivity(unchecked) private var place = 0
    /// Bytes that arrived during a response, or before a body was requested.
    @exclusivity(unchecked) var pending: [UInt8] = []
    /// Timer for everything except the request's body.
    var timer: LoopDeadline { channel }
    /// Timer of a request's body that arrives in pieces, also during a response; nil until one does, because few do.
    var bodyTimer: LoopTimer?

    init(
        descriptor: Int32, tls: TLSSession?, loop: EventLoop, limits: ConnectionLimits, responder: ResponderSlot,
        ends: ConnectionEnds,
        registry: ConnectionRegistry
    ) {
        self.limits = limits
        slot = responder
        self.ends = ends
        self.registry = registry
        clock = { loop.now }
        channel = ByteChannel(
            loop: loop, descriptor: descriptor, tls: tls, lowWaterMark: limits.outputLowWaterMark, isTuned: true)
    }

    deinit { channel.close() }

    func open() {
        channel.open(owner: self)
        timer.schedule(afterNanoseconds: limits.headTimeout)
    }

    // MARK: Input

    func channelReceived(_ bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .awaitingHead: parse(bytes)
        case .serving: receiveWhileServing(bytes)
        case .lingering: if machine.discard(bytes.count) { close() }
        case .closed: break
        }
    }

    private func parse(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        do throws(HTTPSyntaxError) {
            guard let head = try head(bytes, &offset) else {
                if machine.receivePartOfHead() { timer.schedule(afterNanoseconds: limits.headTimeout) }
                return
            }
            let exchange = begin(head)
            receiveWhileServing(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
            if phase == .serving { respond(to: head, exchange) }
        } catch {
            refuse(error)
        }
    }

    private func head(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) throws(HTTPSyntaxError) -> RequestHead? {
        if !parser.hasBegun, let (head, count) = slot.heads.find(bytes, at: &place) {
            offset = count
            return head
        }
        return try parser.parse(bytes, &offset)
    }

    /// Remembers a head for further requests of the loop.
    ///
    /// - Parameter digest: SHA-256 of its credential.
    func remember(_ head: RequestHead, _ digest: (UInt64, UInt64, UInt64, UInt64)) {
        slot.heads.keep(head, at: &place, digest)
    }

    func receiveWhileServing(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty, let exchange else { return }
        if exchange.incoming != nil { return feedBody(of: exchange, bytes) }
        pending.append(contentsOf: bytes)
        guard pending.count > limits.pipelinedBytes else { return }
        // An unrequested body waits in the socket; bytes beyond the request are a flood.
        if exchange.isRequestComplete { leave(.refused) } else { stopReadingBody() }
    }

    private func begin(_ head: RequestHead) -> HTTPExchange {
        let exchange = HTTPExchange(head: head, of: self, context: responder.makeContext(clock: clock))
        self.exchange = exchange
        machine.beginExchange()
        timer.cancelDeadline()
        return exchange
    }

    /// Passes the request to the responder. Body bytes that arrived with the head are already pending.
    private func respond(to head: RequestHead, _ exchange: HTTPExchange) {
        responder.respond(
            to: head, body: exchange.isRequestComplete ? nil : .stream(exchange), metadata: exchange
        ) { [self] response in
            exchange.work = nil
            // A shutdown that stopped waiting can have responded already.
            guard self.exchange === exchange, phase == .serving, exchange.response == nil else {
                if case .stream(let source)? = response.body { source.cancel() }
                return
            }
            self.response(response)
        }
    }

    /// Responds to bytes that are not a request, and ends the connection.
    private func refuse(_ violation: HTTPSyntaxError) {
        let request = HTTPRequest(method: parser.isOfHeadRequest ? .head : .get, scheme: nil, authority: nil, path: nil)
        let responder = responder
        let exchange = HTTPExchange(
            head: RequestHead(request, closes: true), of: self, context: responder.makeContext(clock: clock))
        self.exchange = exchange
        machine.beginExchange()
        let refusal = responder.refuse(violation, metadata: exchange)
        exchange.context.decide(.refused)
        response(refusal)
    }

    // MARK: Between requests

    /// Ends the exchange once the kernel has the whole response. Continues with the next request, or ends the
    /// connection.
    func endExchange() {
        guard let exchange else { return }
        exchange.complete(.finished)
        self.exchange = nil
        let isLast = exchange.closes || !exchange.isRequestComplete || Pipeline.isTooDeep(pending)
        guard machine.endExchange(closes: isLast) else { return linger() }
        timer.schedule(afterNanoseconds: isDraining ? limits.lastRequestGrace : limits.keepAliveTimeout)
        guard !pending.isEmpty else { return }
        let next = pending
        pending = []
        next.withUnsafeBytes { parse($0) }
    }

    private func linger() {
        pending = []
        channel.startReading()
        timer.schedule(after: .seconds(1))
        channel.endOutputWhenDrained()
    }

    // MARK: Ends

    func channelEnded() {
        leave(.clientGone)
    }

    func channelFailed(_: ChannelFailure) {
        leave(.clientGone)
    }

    /// Ends the connection in any phase, with the given outcome for a request in flight.
    func leave(_ end: RequestEnd) {
        guard phase != .closed else { return }
        let exchange = exchange
        self.exchange = nil
        close()
        exchange?.complete(end)
        exchange?.cancelWork()
    }

    func close() {
        guard machine.close() else { return }
        timer.cancelDeadline()
        bodyTimer = nil
        channel.close()
        registry.remove(self)
    }

    /// Accepts no further requests. A request in flight still gets its response, and so does one in transit on a new
    /// connection.
    ///
    /// - Parameter keepingIdle: whether an idle connection can send one more request.
    func drain(keepingIdle: Bool = false) {
        switch machine.drain(keepingIdle: keepingIdle) {
        case .close: close()
        case .awaitNextRequest: timer.schedule(afterNanoseconds: limits.lastRequestGrace)
        case .awaitFirstRequest: timer.schedule(afterNanoseconds: limits.firstRequestGrace)
        case .finishResponse: break
        }
    }

    func channelDeadlinePassed() {
        switch machine.deadlinePassed(isHandshaking: channel.isHandshaking) {
        case .refuseHead: refuse(.headTimeout)
        case .close: close()
        case .lookAtExchange:
            if let exchange { checkResponseProgress(exchange) }
        }
    }
}
