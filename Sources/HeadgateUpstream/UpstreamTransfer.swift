internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateNetwork

/// One request to an upstream and the body of its response. Loop-confined.
final class UpstreamTransfer: BodySource {
    private var machine = StateMachine()
    var bytesAreProgress = true
    /// Request, with its body until a response begins, for the one case in which it is sent again.
    @exclusivity(unchecked) private var request: UpstreamRequest
    private let target: BaseURL.Endpoint
    private let pool: UpstreamPool
    private let deadlines: TransferDeadlines
    private var silence: SilenceClock
    private var attempted: UpstreamConnectionAttempt?
    private(set) var connection: UpstreamConnection?
    private var completion: UpstreamCompletion?
    /// Parser of a head that arrives in pieces; at most one.
    @exclusivity(unchecked) private var parsers: [ResponseHeadParser] = []
    /// Decoder of the body, once the body has begun. A decoder never calls other code.
    @exclusivity(unchecked) private var decoder: BodyDecoder?
    @exclusivity(unchecked) private var sink: (any BodySink)?
    /// Body bytes that arrived before the consumer started.
    @exclusivity(unchecked) private var early: [UInt8] = []
    /// End of the body, if it came before the consumer started.
    private var earlyEnd: Result<Void, TransportError>?
    /// Upload of a streamed body.
    private var upload: RequestUpload?

    init(
        _ request: UpstreamRequest, target: BaseURL.Endpoint, pool: UpstreamPool, deadlines: TransferDeadlines
    ) {
        self.deadlines = deadlines
        silence = SilenceClock(limit: deadlines.silence)
        self.request = request
        self.target = target
        self.pool = pool
    }

    // MARK: Request and head

    /// - Parameter completion: called once with the response, perhaps before this returns.
    func start(_ completion: @escaping UpstreamCompletion) {
        self.completion = completion
        if let idle = takeIdle() { send(on: idle) } else { connect() }
    }

    /// Returns an idle connection for the request. The peer might be closing it at this moment, and a streamed body
    /// cannot be sent again. A streamed body therefore only gets a connection that was used very recently.
    private func takeIdle() -> UpstreamConnection? {
        guard case .stream? = request.body else { return pool.takeIdle(to: target) }
        return pool.takeIdle(to: target, atRestFor: UpstreamPool.justUsed)
    }

    private func connect() {
        if let connection = pool.connectAtOnce(to: target) { send(on: connection) } else { attempt() }
    }

    private func attempt() {
        machine.connects()
        var isOver = false
        // The closure retains the transfer, so that its completion is called even if the caller does not retain it.
        let attempt = pool.connect(to: target, timeout: deadlines.connect) { [self] result in
            isOver = true
            attempted = nil
            switch result {
            case .success(let connection): send(on: connection)
            case .failure(let error): end(with: error)
            }
        }
        if !isOver { attempted = attempt }
    }

    private func send(on connection: UpstreamConnection) {
        self.connection = connection
        machine.sends()
        parsers = []
        connection.carry(self, request.head, request.fieldLines, request.body)
        connection.timer.schedule(afterNanoseconds: headDeadline)
        if case .stream(let body)? = request.body { upload(body, on: connection) }
    }

    private var headDeadline: UInt64 { max(deadlines.firstByte, request.patience) }

    private func upload(_ body: StreamedBody, on connection: UpstreamConnection) {
        let upload = RequestUpload(body, of: self, on: connection.channel)
        self.upload = upload
        upload.start()
    }

    /// Continues the upload after all or most of the queued bytes have been sent.
    func drained() { upload?.drained() }

    /// Restarts the deadline of the response, because the request's body has made progress.
    func requestProgressed() {
        guard machine.phase == .awaitingHead else { return }
        connection?.timer.schedule(afterNanoseconds: headDeadline)
    }

    /// Notes the end of the request's body.
    func requestSent() {
        requestProgressed()
        if let head = upload?.takeHead() { deliver(head) }
    }

    func received(_ bytes: UnsafeRawBufferPointer) {
        switch machine.phase {
        case .awaitingHead:
            guard let connection,
                machine.answers(onReused: connection.isReused, hasSentRequest: connection.hasSentRequest)
            else { return broke(detail: "the upstream spoke first") }
            receiveHead(bytes)
        case .body: receiveBody(bytes)
        case .connecting, .ended: break
        }
    }

    private func receiveHead(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        do throws(HTTPSyntaxError) {
            var parser = parsers.popLast() ?? ResponseHeadParser(to: request.head)
            guard let head = try parser.parse(bytes, &offset) else { return parsers.append(parser) }
            decoder = try BodyDecoder(head.bodyLength, limit: .max)
            let isSent = connection?.channel.queuedBytes == 0 && upload?.isOver != false
            if machine.beginBody(status: head.status, closes: head.closes, isRequestSent: isSent) {
                upload?.stop()
                connection?.channel.dropOutput()
            }
            request.body = nil
            note(.content)
            if head.bodyLength == .fixed(0) {
                earlyEnd = .success(())
                complete(leftover: bytes.count - offset)
            } else {
                receiveBody(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
            }
            if upload?.keep(head) != true { deliver(head) }
        } catch {
            end(with: TransportError(.protocolViolation, error.explanation))
        }
    }

    private func deliver(_ head: ResponseHead) {
        guard let completion = completion.take() else { return }
        do throws(TransportError) {
            completion(
                .success(UpstreamResponse(received: head, .stream(try UpstreamTransport.decoded(head.fields, self)))))
        } catch {
            completion(.failure(error))
        }
    }

    private func failBeforeHead(_ error: TransportError) {
        request.body = nil
        upload?.stop()
        connection?.close()
        connection = nil
        completion.take()?(.failure(error))
    }

    // MARK: Body

    func start(_ sink: any BodySink) {
        self.sink = sink
        let bytes = early
        early = []
        if !bytes.isEmpty { bytes.withUnsafeBytes { sink.receive($0) } }
        // The sink might have cancelled or discarded meanwhile.
        guard let sink = self.sink else { return }
        switch earlyEnd {
        case nil: if !machine.isPaused { connection?.channel.startReading() }
        case .success?:
            self.sink = nil
            sink.finish(.complete)
        case .failure(let error)?:
            self.sink = nil
            sink.fail(error)
        }
    }

    func takeWhole() -> [UInt8]? {
        guard case .success? = earlyEnd, sink == nil else { return nil }
        defer { early = [] }
        return early
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) {
        if bytesAreProgress { note(.content) }
        var offset = 0
        // All chunks of one read are passed on together. A single chunk, the usual case, is not copied.
        guard let portion = decoder?.take(bytes, &offset, gathering: &pool.gathered.value) else { return }
        switch portion.octets {
        case .none: break
        case .together(let range): deliver(UnsafeRawBufferPointer(rebasing: bytes[range]))
        case .gathered: deliverGathered()
        }
        guard machine.phase == .body else { return }
        switch portion.following {
        case .more: break
        case .end:
            complete(leftover: bytes.count - offset)
            endSink(.success(()))
        case .fault(let error): end(with: TransportError(.protocolViolation, error.explanation))
        }
    }

    /// Delivers the gathered bytes. The buffer is taken out meanwhile, since all code downstream runs during this call.
    private func deliverGathered() {
        var bytes: [UInt8] = []
        swap(&bytes, &pool.gathered.value)
        bytes.withUnsafeBytes { deliver($0) }
        swap(&bytes, &pool.gathered.value)
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer) {
        if let sink { return sink.receive(bytes) }
        if machine.isDiscarding { return }
        early.append(contentsOf: bytes)
        if early.count > 64 * 1024 { connection?.channel.stopReading() }
    }

    private func complete(leftover: Int) {
        let isReusable = machine.complete(leftover: leftover)
        let connection = connection
        self.connection = nil
        // Uploads rarely reuse an idle connection, so each of them would leave one more.
        connection?.release(reusable: isReusable && (upload == nil || !pool.hasIdle))
        if upload != nil { endUpload() }
    }

    /// Ends the upload because the response is over, and delivers its head if that was held back.
    private func endUpload() {
        upload?.stop()
        if let head = upload?.takeHead() { deliver(head) }
    }

    private func failBody(_ error: TransportError) {
        connection?.close()
        connection = nil
        if upload != nil { endUpload() }
        endSink(.failure(error))
    }

    private func endSink(_ result: Result<Void, TransportError>) {
        guard let sink else {
            if earlyEnd == nil { earlyEnd = result }
            return
        }
        self.sink = nil
        switch result {
        case .success: sink.finish(.complete)
        case .failure(let error): sink.fail(error)
        }
    }

    // MARK: The connection's end

    func ended(detail: String) {
        if machine.phase == .body, decoder?.endsWithConnection == true {
            // A closed connection is not returned to the pool.
            complete(leftover: 0)
            return endSink(.success(()))
        }
        broke(detail: detail)
    }

    func broke(detail: String) {
        let isInBody = machine.phase == .body
        let error = TransportError(isInBody ? .truncatedBody : .closedBeforeResponse, detail)
        follow(machine.fail(onReused: connection?.isReused == true && upload == nil), error)
    }

    func deadlinePassed() {
        end(with: TransportError(machine.phase == .body ? .silenceTimeout : .responseTimeout))
    }

    private func end(with error: TransportError) { follow(machine.end(), error) }

    private func follow(_ breakage: StateMachine.Breakage, _ error: TransportError) {
        switch breakage {
        case .nothing: break
        case .sendAgain:
            connection?.close()
            connection = nil
            connect()
        case .failHead: failBeforeHead(error)
        case .failBody: failBody(error)
        }
    }

    // MARK: Requests of the consumer

    func note(_ progress: BodyProgress) {
        guard let deadline = silence.note(progress, at: pool.loop.now), machine.watchesSilence else { return }
        connection?.timer.schedule(at: deadline)
    }

    func pause() {
        machine.pause()
        silence.pause(at: pool.loop.now)
        connection?.channel.stopReading()
        connection?.timer.cancelDeadline()
    }

    func resume() {
        machine.resume()
        connection?.channel.startReading()
        let deadline = silence.resume(at: pool.loop.now)
        if machine.watchesSilence { connection?.timer.schedule(at: deadline) }
    }

    func discardRest() {
        sink = nil
        guard machine.discardRest() else { return }
        connection?.timer.schedule(after: .seconds(1))
        if machine.isPaused { resume() }
    }

    /// Cancels the transfer in any phase, and closes the connection.
    func cancel() {
        sink = nil
        attempted?.cancel()
        attempted = nil
        // The completion is called, but not the sink of a cancelled body.
        if machine.end() != .nothing { failBeforeHead(TransportError(.cancelled)) }
    }
}
