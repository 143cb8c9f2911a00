import HTTPTypes
import HeadgateHTTP
import HeadgatePrimitives

@testable import HeadgateClient

/// A transport that responds from memory and records its requests.
final class InMemoryTransport: ClientTransport {
    struct Received: Sendable {
        let request: HTTPRequest
        let body: [UInt8]
        let server: BaseURL

        var text: String { String(decoding: body, as: UTF8.self) }

        /// Returns the members of the body.
        func json() throws -> [String: JSONValue] {
            guard case .object(let members) = try JSONCoding.decode(JSONValue.self, from: body) else { return [:] }
            return members
        }
    }

    private struct State: Sendable {
        var responses: [PlannedResponse]
        var received: [Received] = []
        var cancelled = 0
        var pulled = 0
    }

    private let state: Locked<State>

    /// - Parameter responses: responses in order; the last one is repeated.
    init(_ responses: PlannedResponse...) { state = Locked(State(responses: responses)) }

    var received: [Received] { state.withLock { $0.received } }
    /// Number of bodies that their reader left before the end.
    var cancelled: Int { state.withLock { $0.cancelled } }
    /// Number of chunks that the readers of bodies requested.
    var pulled: Int { state.withLock { $0.pulled } }

    func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID _: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let bytes = try await body?.collect(upTo: .max) ?? []
        let planned = state.withLock { state in
            state.received.append(Received(request: request, body: bytes, server: baseURL))
            return state.responses.count > 1 ? state.responses.removeFirst() : state.responses[0]
        }
        if let failure = planned.failure { throw failure }
        let state = state
        let onCancel: @Sendable () -> Void = { state.withLock { $0.cancelled += 1 } }
        let response = HTTPResponse(status: .init(code: planned.status), headerFields: planned.fields)
        switch planned.style {
        case .pulled:
            let onPull: @Sendable () -> Void = { state.withLock { $0.pulled += 1 } }
            return (response, .stream(PulledResponse(planned, onPull: onPull, onCancel: onCancel)))
        case .pushed: return (response, .stream(PushedResponse(planned, onCancel: onCancel)))
        }
    }
}

/// One scripted response.
struct PlannedResponse: Sendable {
    enum Style: CaseIterable {
        case pulled
        case pushed
    }

    enum End: Sendable {
        case complete
        case fail(TransportError.Kind)
        /// No more bytes arrive until the reader leaves.
        case stall
    }

    var status = 200
    var fields: HTTPFields = [.contentType: "text/event-stream; charset=utf-8"]
    var chunks: [[UInt8]] = []
    var end = End.complete
    var style = Style.pulled
    /// Error to throw instead of returning a head.
    var failure: TransportError?

    static func stream(_ text: String, end: End = .complete, style: Style = .pulled) -> PlannedResponse {
        PlannedResponse(chunks: [Array(text.utf8)], end: end, style: style)
    }

    static func json(_ text: String, status: Int = 200, fields: HTTPFields = [:]) -> PlannedResponse {
        var fields = fields
        fields[.contentType] = "application/json"
        return PlannedResponse(status: status, fields: fields, chunks: [Array(text.utf8)])
    }

    static func failing(_ kind: TransportError.Kind) -> PlannedResponse {
        PlannedResponse(failure: TransportError(kind))
    }

    /// Returns a complete stream of these texts, one per chunk.
    static func words(_ words: [String], end: End = .complete) -> PlannedResponse {
        var chunks = words.map { Array(Events.delta($0).utf8) }
        if case .complete = end { chunks.append(Array((Events.stop() + Events.done).utf8)) }
        return PlannedResponse(chunks: chunks, end: end)
    }
}

/// Texts of events.
enum Events {
    static let done = "data: [DONE]\n\n"

    static func data(_ text: String) -> String { "data: \(text)\n\n" }

    static func chunk(_ delta: String, index: Int = 0, finish: String? = nil) -> String {
        let reason = finish.map { "\"\($0)\"" } ?? "null"
        let choice = #"{"index":\#(index),"delta":\#(delta),"finish_reason":\#(reason)}"#
        return data(#"{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[\#(choice)]}"#)
    }

    static func delta(_ text: String, index: Int = 0) -> String { chunk(#"{"content":"\#(text)"}"#, index: index) }

    static func stop(_ reason: String = "stop", index: Int = 0) -> String { chunk("{}", index: index, finish: reason) }
}

private final class PulledResponse: PulledBody {
    private let chunks: Locked<[[UInt8]]>
    private let end: PlannedResponse.End
    private let onPull: @Sendable () -> Void
    private let onCancel: @Sendable () -> Void
    private let hasEnded = Locked(false)

    init(_ planned: PlannedResponse, onPull: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void) {
        chunks = Locked(planned.chunks)
        end = planned.end
        self.onPull = onPull
        self.onCancel = onCancel
    }

    func next() async throws -> [UInt8]? {
        if let chunk = chunks.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            onPull()
            return chunk
        }
        switch end {
        case .complete:
            hasEnded.withLock { $0 = true }
            return nil
        case .fail(let kind):
            hasEnded.withLock { $0 = true }
            throw TransportError(kind)
        case .stall:
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        }
    }

    func cancel() { if !hasEnded.withLock({ $0 }) { onCancel() } }

    func discardRest() {}
}

private final class PushedResponse: BodySource {
    private var chunks: [[UInt8]]
    private let end: PlannedResponse.End
    private let onCancel: () -> Void
    private var sink: (any BodySink)?
    private var isPaused = false
    var bytesAreProgress = true

    init(_ planned: PlannedResponse, onCancel: @escaping () -> Void) {
        chunks = planned.chunks
        end = planned.end
        self.onCancel = onCancel
    }

    func start(_ sink: any BodySink) {
        self.sink = sink
        push()
    }

    private func push() {
        while !isPaused, let sink {
            guard chunks.isEmpty else {
                chunks.removeFirst().withUnsafeBytes { sink.receive($0) }
                continue
            }
            switch end {
            case .complete: sink.finish(.complete)
            case .fail(let kind): sink.fail(TransportError(kind))
            case .stall: return
            }
            self.sink = nil
        }
    }

    func pause() { isPaused = true }

    func resume() {
        isPaused = false
        push()
    }

    func cancel() {
        if sink != nil { onCancel() }
        sink = nil
    }

    func discardRest() { sink = nil }
    func note(_: BodyProgress) {}
}
