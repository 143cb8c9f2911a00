// HeadgateKit: a gateway inside a Swift program. It is the gateway that `headgate serve` runs, with the program's
// capabilities in addition to the built-in ones.

internal import HeadgateEventLoop
@preconcurrency internal import HeadgateLibC
internal import HeadgatePrimitives
internal import HeadgateService

/// A gateway of your own: a configuration, and the additions of your program.
///
/// ```swift
/// try await Gateway(configuration: .file("headgate.yaml")) { gateway in
///     gateway.use(Redaction(), before: .cache)
///     gateway.get("/hello") { _, _, _ in (HTTPResponse(status: .ok), .bytes(Array("hello".utf8))) }
/// }.run()
/// ```
///
/// A process runs one gateway. It handles SIGTERM, SIGINT, SIGHUP and SIGUSR1 as `headgate serve` does.
public struct Gateway: Sendable {
    /// Source of the configuration.
    public enum Configuration: Sendable {
        /// A file at this path.
        case file(String)
        /// `HEADGATE_CONFIG`, the user's or the system's file, or the environment alone, as for `headgate serve`.
        case standard
    }

    private let configuration: Configuration
    private let additions: GatewayAdditions

    /// Creates a gateway with the additions that `add` makes. It serves nothing before ``run(started:)``.
    ///
    /// - Throws: ``GatewayFailure`` if an addition is invalid, or contradicts another one or the gateway.
    public init(
        configuration: Configuration = .standard, _ add: (inout GatewayAdditions) throws -> Void = { _ in }
    ) throws {
        self.configuration = configuration
        var additions = GatewayAdditions()
        try add(&additions)
        try additions.check()
        self.additions = additions
    }

    /// Serves until a signal ends the gateway, or the task is canceled. Requests in flight are finished first, for at
    /// most the configured `drain`.
    ///
    /// - Parameter started: called once, with the URLs on which the gateway listens.
    /// - Throws: ``GatewayFailure`` if the configuration is invalid, or an address cannot be used.
    public func run(started: @escaping @Sendable ([String]) -> Void = { _ in }) async throws {
        let serving = Serving(configuration, additions, started: started)
        try await withTaskCancellationHandler {
            try await serving.run()
        } onCancel: {
            serving.end()
        }
    }
}

/// Error of a gateway that cannot be created or started.
public struct GatewayFailure: Error, CustomStringConvertible {
    /// Description of the failure for people, in one or more lines.
    public let description: String
}

/// One run of a gateway, on its own thread, because the process blocks its thread until the end.
private final class Serving: Sendable {
    private struct State {
        var end: (@Sendable () -> Void)?
        var isCancelled = false
        var continuation: CheckedContinuation<Void, any Error>?
    }

    private let configuration: Gateway.Configuration
    private let additions: GatewayAdditions
    private let started: @Sendable ([String]) -> Void
    private let state = Locked(State())

    init(
        _ configuration: Gateway.Configuration, _ additions: GatewayAdditions,
        started: @escaping @Sendable ([String]) -> Void
    ) {
        (self.configuration, self.additions, self.started) = (configuration, additions, started)
    }

    func run() async throws {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0.continuation = continuation }
            do {
                try startThread(running: serve, with: self).detach()
            } catch {
                finish(.failure(GatewayFailure(description: "no thread for the gateway: \(error)")))
            }
        }
    }

    /// Ends the run as SIGTERM does. Can be called from any thread.
    func end() {
        let end = state.withLock { state in
            state.isCancelled = true
            return state.end
        }
        end?()
    }

    fileprivate func serveHere() {
        do {
            ServiceProcess.prepare()
            // Output of the program reaches a pipe or a journal line by line, as the log does.
            setvbuf(stdout, nil, _IOLBF, 0)
            let environment = ProcessEnvironment.current
            let file: String? =
                switch configuration {
                case .file(let path): path
                case .standard: nil
                }
            let process = try ServiceProcess(
                ConfigurationSource(file: file, environment: environment), environment: environment,
                manager: .adopt(), companion: nil, added: additions.capabilities)
            try process.open()
            let isCancelled = state.withLock { state in
                state.end = process.end
                return state.isCancelled
            }
            started(process.service.listening)
            if isCancelled { process.end() }
            process.run()
            finish(.success(()))
        } catch let complaint as Complaint {
            finish(.failure(GatewayFailure(description: complaint.message)))
        } catch {
            finish(.failure(error))
        }
    }

    private func finish(_ result: Result<Void, any Error>) {
        let continuation = state.withLock { state in
            state.end = nil
            return state.continuation.take()
        }
        continuation?.resume(with: result)
    }
}

private func serve(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<Serving>.fromOpaque(context).takeRetainedValue().serveHere()
    return nil
}
