internal import CHeadgate
internal import HTTPTypes
internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateNetwork

/// One connection of a scripted upstream, which reads requests and plays the response to each. Confined to its loop.
///
/// Reading never stops, so that a peer that leaves is noticed immediately in every phase.
final class ScriptedConnection: ByteChannelOwner {
    enum Phase {
        case head
        case body
        case responding
        /// Our FIN is sent, and the connection briefly waits for the peer's FIN, so that it is not answered with a
        /// reset.
        case lingering
        case closed
    }

    private static let bodyLimit = 64 * 1024 * 1024
    private static let pipelineLimit = 1024 * 1024

    let index: Int
    let loop: EventLoop
    let channel: ByteChannel
    let descriptor: Int32
    private let tls: TLSSession?
    let table: ScriptedConnectionTable
    var phase = Phase.head
    private var parser = RequestHeadParser()
    private var head: RequestHead?
    private var decoder: BodyDecoder?
    private var body: [UInt8] = []
    /// The bytes received after the current request.
    private var pending: [UInt8] = []

    var plan: ResponsePlan?
    /// The index of the request whose response is being played.
    var request = 0
    var waitIsOver = false
    var isPaused = false
    /// Whether all pieces are written. The end follows after the kernel has accepted them.
    var isEnding = false
    private(set) lazy var timer = LoopTimer(loop: loop) { [unowned self] in timerFired() }

    init(descriptor: Int32, tls: TLSSession?, index: Int, loop: EventLoop, table: ScriptedConnectionTable) {
        self.descriptor = descriptor
        self.tls = tls
        self.index = index
        self.loop = loop
        self.table = table
        // This keeps bytes that a peer does not read in our queue, and not in the kernel's.
        headgate_limit_send_buffer(descriptor, 256 * 1024)
        channel = ByteChannel(loop: loop, descriptor: descriptor, tls: tls, lowWaterMark: 64 * 1024)
    }

    deinit { channel.close() }

    func open() { channel.open(owner: self) }

    func close() {
        guard phase != .closed else { return }
        phase = .closed
        timer.cancel()
        channel.close()
        table.remove(self)
    }

    func channelSecured() {
        if tls?.isResumed == true { _ = table.resumed.increment() }
    }

    // MARK: Requests

    func channelReceived(_ bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .head, .body: consume(bytes)
        case .responding:
            pending.append(contentsOf: bytes)
            if pending.count > ScriptedConnection.pipelineLimit { close() }
        case .lingering, .closed: break
        }
    }

    private func consume(_ input: UnsafeRawBufferPointer) {
        var offset = 0
        do throws(HTTPSyntaxError) {
            if phase == .head {
                guard let head = try parser.parse(input, &offset) else { return }
                try begin(head)
                if case .fixed(let length) = head.bodyLength, length > table.player.longestReadBody {
                    channel.stopReading()
                    return answer(closes: true)
                }
            }
            while true {
                switch try decoder?.next(input, &offset) {
                case .data(let range)?: body.append(contentsOf: input[range])
                case .needsMore?, nil: return
                case .end?:
                    pending.append(contentsOf: input[offset...])
                    return answer()
                }
            }
        } catch {
            refuse(error)
        }
    }

    private func begin(_ head: RequestHead) throws(HTTPSyntaxError) {
        decoder = try BodyDecoder(head.bodyLength, limit: ScriptedConnection.bodyLimit)
        self.head = head
        phase = .body
        guard head.expectsContinue else { return }
        channel.write { $0.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8) }
    }

    private func answer(closes: Bool = false) {
        guard let head else { return }
        var headers = HeaderLines(["Host": head.authority].map { (name: $0.key, value: $0.value) })
        for field in head.fields.httpFields { headers.append(field.name.rawName, field.value) }
        let (request, response) = table.player.receive(
            connection: index, method: head.method.rawValue, path: head.path, headers: headers,
            body: body)
        body = []
        decoder = nil
        self.head = nil
        self.request = request.index
        play(ResponsePlan(response, to: request, closes: closes || head.closes, date: loop.httpDate))
    }

    private func refuse(_ error: HTTPSyntaxError) {
        let response = ScriptedResponse.openAIError(status: error.status, message: error.explanation)
        let nobody = ReceivedRequest(index: -1, connection: index, method: "", path: "", headers: [:], body: [])
        request = nobody.index
        play(ResponsePlan(response, to: nobody, closes: true, date: loop.httpDate))
    }

    /// Waits for the next request after a complete response.
    func awaitNextRequest() {
        plan = nil
        phase = .head
        let input = pending
        pending = []
        if !input.isEmpty { input.withUnsafeBytes { consume($0) } }
    }

    // MARK: Closing by the peer

    func channelEnded() { peerLeft(.fin) }

    func channelFailed(_: ChannelFailure) { peerLeft(.reset) }

    private func peerLeft(_ end: UpstreamEvent.PeerEnd) {
        let wasResponding = phase == .responding
        close()
        if wasResponding { table.player.observations.note(.peerClosed(request, end)) }
    }
}
