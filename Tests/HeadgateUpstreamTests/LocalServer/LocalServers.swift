import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateUpstream

/// Events of a local server in order, for which a test can wait.
final class ServerEvents: Sendable {
    private struct State: Sendable {
        var all: [LocalServerEvent] = []
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Locked(State())

    func note(_ event: LocalServerEvent) {
        let waiter = state.withLock { state in
            state.all.append(event)
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    var all: [LocalServerEvent] { state.withLock { $0.all } }

    var lines: [String] {
        all.compactMap { if case .output(let line) = $0 { line } else { nil } }
    }

    /// Returns when the event has been reported that many times. Only one caller can wait.
    func wait(for event: LocalServerEvent, times: Int = 1) async { await wait { $0.count { $0 == event } >= times } }

    func wait(until condition: @Sendable ([LocalServerEvent]) -> Bool) async {
        while true {
            let seen = all
            if condition(seen) { return }
            await withCheckedContinuation { continuation in
                let isNews = state.withLock { state in
                    guard state.all.count == seen.count else { return true }
                    state.waiter = continuation
                    return false
                }
                if isNews { continuation.resume() }
            }
        }
    }
}

/// Health of a program, as a test sets it.
final class ScriptedHealth: Sendable {
    private let answer: Locked<Bool>
    private let asked = Locked(0)
    private let hook = Locked<(@Sendable () -> Void)?>(nil)
    private let badAnswers: Int

    /// - Parameter badAnswers: number of failed checks before the first good one.
    init(_ isGood: Bool, badAnswers: Int = 0) {
        answer = Locked(isGood)
        self.badAnswers = badAnswers
    }

    static var good: ScriptedHealth { ScriptedHealth(true) }
    static var bad: ScriptedHealth { ScriptedHealth(false) }

    var questions: Int { asked.withLock { $0 } }

    /// - Parameter meanwhile: called on the loop between the next check and its result.
    func recover(meanwhile: @escaping @Sendable () -> Void = {}) {
        hook.withLock { $0 = meanwhile }
        answer.withLock { $0 = true }
    }

    func next() -> Bool {
        let number = asked.withLock { asked in
            asked += 1
            return asked
        }
        let isGood = number > badAnswers && answer.withLock { $0 }
        if isGood, let meanwhile = hook.withLock({ $0 }) { meanwhile() }
        return isGood
    }
}

/// Runs the body with a local server whose program is a shell script, and then ends the program.
func withServer(
    _ script: String, startsAtLaunch: Bool = false, startTimeout: Duration = .seconds(600), idleStop: Duration? = nil,
    variables: [String: String] = [:], environment: [String: String] = ["PATH": "/usr/bin:/bin"],
    health: ScriptedHealth = .good,
    _ body: (LocalServer, ServerEvents, EventLoopGroup) async throws -> Void
) async throws {
    let group = EventLoopGroup(count: 2)
    defer { group.stop() }
    let events = ServerEvents()
    let command = LocalServerCommand(
        name: "local", arguments: ["sh", "-c", script], variables: { variables }, startsAtLaunch: startsAtLaunch,
        startTimeout: startTimeout, idleStop: idleStop)
    let server = LocalServer(
        loop: group.loops[0], command: command, environment: environment,
        check: { loop, completion in
            let told = LoopBound(completion, on: loop)
            loop.execute { told.value(health.next()) }
            return {}
        }, observer: { events.note($0) })
    let result: Result<Void, any Error>
    do { result = .success(try await body(server, events, group)) } catch { result = .failure(error) }
    await withCheckedContinuation { continuation in server.stop { continuation.resume() } }
    try result.get()
}

/// A transport with scripted responses, without a network.
struct CannedTransport: RelayTransport {
    let status: HTTPResponse.Status
    var body: HTTPBodyKind = .none

    enum HTTPBodyKind: Sendable {
        case none
        case bytes
        case stream(LoopBound<OpenBody>)
    }

    func send(
        _ request: UpstreamRequest, to _: BaseURL, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        guard status != .badGateway else {
            completion(.failure(TransportError(.connect, request.head.request.path ?? "")))
            return nil
        }
        let answered: HTTPBody? =
            switch body {
            case .none: nil
            case .bytes: .bytes([0x61])
            case .stream(let source): .stream(source.value)
            }
        completion(.success(UpstreamResponse(received: ResponseHead(HTTPResponse(status: status)), answered)))
        return nil
    }
}

/// A body that ends when a test says so.
final class OpenBody: BodySource {
    private var sink: (any BodySink)?
    private(set) var calls: [String] = []
    var bytesAreProgress = true

    func start(_ sink: any BodySink) { self.sink = sink }
    func finish() { sink?.finish(.complete) }
    func failBody() { sink?.fail(TransportError(.truncatedBody)) }
    func pause() { calls.append("pause") }
    func resume() { calls.append("resume") }
    func cancel() { leave("cancel") }
    func discardRest() { leave("discardRest") }
    func note(_ progress: BodyProgress) { calls.append("\(progress)") }

    private func leave(_ how: String) {
        calls.append(how)
        sink = nil
    }
}
