import HeadgateClient
import HeadgateClientTransport
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateService
import HeadgateTerminal
import HeadgateUpstream

/// The gateway of a chat, and the connection to it.
///
/// Belongs to the main thread.
final class ChatService {
    let client: HeadgateClient
    let relay: SignalRelay
    let gateway: ReachableGateway
    private let group: EventLoopGroup

    /// - Parameter say: Called with progress messages for standard error.
    /// - Throws: ``Complaint``, or ``Interruption``.
    init(_ options: GatewayOptions, say: (String) -> Void) throws {
        group = try EventLoopGroup(starting: 1)
        do {
            relay = try SignalRelay(group: group)
            gateway = try ReachableGateway.find(options, group: group, relay: relay, say: say)
        } catch {
            group.stop()
            throw error
        }
        var access = UpstreamAccess(allowsPrivateAddresses: true)
        if case .tls = gateway.root.endpoint { access.tls = try? TLSContext.client(authorities: nil) }
        let transport = UpstreamTransport(
            network: UpstreamNetwork(group: group), access: access,
            timeouts: TransferTimeouts(firstByte: .seconds(600), silence: .seconds(300)))
        client = HeadgateClient(
            servers: [gateway.api], apiKey: gateway.key,
            transport: LoopTransport(loop: group.loops[0], transport: transport))
    }

    /// Stops the loops, and the gateway if it was started for the chat.
    func close() {
        gateway.close()
        relay.end()
        group.stop()
    }

    /// Returns the names of the models in the gateway's order.
    ///
    /// - Throws: ``Complaint``, or ``Interruption``.
    func models() throws -> [String] {
        let client = client
        do {
            return try wait { try await client.models.list().map(\.id) }
        } catch let error as HeadgateClientError {
            throw Complaint(ChatService.explain(error))
        }
    }

    /// Returns the route of a model; nil if the server does not report it.
    ///
    /// - Throws: ``Interruption``.
    func route(of model: String) throws -> ChatRoute? {
        let client = client
        do {
            return try wait { try await client.models.retrieve(model).chatRoute }
        } catch is HeadgateClientError {
            return nil
        }
    }

    /// Waits on the main thread for an asynchronous operation. A signal cancels it.
    ///
    /// - Throws: The operation's error, or ``Interruption`` if it was canceled.
    func wait<Value: Sendable>(for work: @escaping @Sendable () async throws -> Value) throws -> Value {
        let done = Latch()
        let result = Locked<Result<Value, any Error>?>(nil)
        let task = Task {
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            done.open()
        }
        let before = relay.set { _ in task.cancel() }
        defer { relay.set(before) }
        if relay.last != nil { task.cancel() }
        done.wait()
        switch result.withLock({ $0 }) {
        case .success(let value)?: return value
        case .failure(let error)?:
            if error is CancellationError, let signal = relay.last { throw Interruption(signal: signal) }
            throw error
        case nil: throw CancellationError()
        }
    }

    /// Returns one or two sentences for the terminal, with advice if possible.
    static func explain(_ error: any Error) -> String {
        guard let failure = error as? HeadgateClientError else { return Neutralised.text("\(error)") }
        let text = Neutralised.text(failure.description)
        guard case .status(let response) = failure else { return text }
        if let delay = response.retryHint.delay { return "\(text) Try again in \(waiting(delay))." }
        guard response.status == 401 else { return text }
        return text + " Put the gateway's key into HEADGATE_KEY, or name a file that holds it with --key-file."
    }

    /// Returns a duration such as `20 s`, rounded up.
    private static func waiting(_ delay: Duration) -> String {
        let seconds = Int(delay.seconds.rounded(.up))
        return seconds < 300
            ? "\(seconds) s" : seconds < 7200 ? "\((seconds + 59) / 60) min" : "\((seconds + 3599) / 3600) h"
    }
}
