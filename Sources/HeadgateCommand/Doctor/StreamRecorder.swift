import CHeadgate
import HeadgateDiagnosis
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateUpstream

/// Records every read of one streamed response with its time. Loop-confined.
final class StreamRecorder: BodySink {
    enum Limit {
        /// Records until the end of the response, for a minute, or up to 4 MiB.
        case end
        /// Records until the first event, and then disconnects like a client.
        case firstEvent
    }

    private static let longest: Duration = .seconds(60)
    private static let largest = 4 << 20

    private let limit: Limit
    private var startedAt: UInt64 = 0
    private var observation: StreamObservation?
    private var bytes = 0
    private var source: (any BodySource)?
    private var completion: ((Result<StreamObservation, any Error>) -> Void)?
    private var timer: LoopTimer?

    init(limit: Limit) { self.limit = limit }

    /// Sends the request and records its response.
    ///
    /// - Parameter completion: Called once.
    /// - Returns: A handle that cancels the request before its response.
    func start(
        _ head: OutgoingHead, body: [UInt8], at base: BaseURL, over transport: UpstreamTransport,
        completion: @escaping (Result<StreamObservation, any Error>) -> Void
    ) -> (any Cancellable)? {
        self.completion = completion
        startedAt = headgate_monotonic_nanoseconds()
        let request = UpstreamRequest(head, body: body, operationID: "doctor")
        return transport.send(request, to: base) { [self] result in
            switch result {
            case .failure(let error): complete(.failure(error))
            case .success(let answer): begin(answer)
            }
        }
    }

    private var now: UInt64 { headgate_monotonic_nanoseconds() - startedAt }

    private func begin(_ answer: UpstreamResponse) {
        let framing: StreamObservation.Framing =
            switch answer.head.bodyLength {
            case .fixed(let length): .length(length)
            case .chunked: .chunked
            case .untilEnd: .connection
            }
        observation = StreamObservation(
            status: answer.head.status, fields: ResponseFields(answer.head), framing: framing, headAt: now, endAt: now)
        let timer = LoopTimer(loop: EventLoop.current) { [unowned self] in cancel() }
        timer.schedule(after: StreamRecorder.longest)
        self.timer = timer
        switch answer.body {
        case nil: end(.complete)
        case .bytes(let bytes)?:
            bytes.withUnsafeBytes { receive($0) }
            end(.complete)
        case .stream(let source)?:
            self.source = source
            source.start(self)
        }
    }

    // MARK: BodySink

    func receive(_ chunk: UnsafeRawBufferPointer) {
        guard completion != nil else { return }
        observation?.pieces.append(.init(at: now, bytes: Array(chunk)))
        bytes += chunk.count
        let isEnough = limit == .firstEvent && observation?.status == 200 && hasEvent
        if isEnough || bytes > StreamRecorder.largest { cancel() }
    }

    func finish(_: BodyEnd) { end(.complete) }

    func fail(_ error: any Error) { end(.broken(ExchangeFailure(error).detail)) }

    private var hasEvent: Bool {
        String(decoding: (observation?.pieces ?? []).flatMap(\.bytes), as: UTF8.self).contains("data:")
    }

    // MARK: End

    private func cancel() {
        let source = source
        self.source = nil
        source?.cancel()
        end(.abandoned)
    }

    private func end(_ end: StreamObservation.End) {
        guard var observation else { return }
        observation.end = end
        observation.endAt = now
        complete(.success(observation))
    }

    private func complete(_ result: Result<StreamObservation, any Error>) {
        timer?.cancel()
        source = nil
        completion.take()?(result)
    }
}
