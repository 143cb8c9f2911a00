internal import CHeadgate
internal import HeadgateConfiguration
internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgateHTTP
internal import HeadgatePrices
import HeadgatePrimitives
internal import HeadgateRelay

/// The gateway as the benchmark configures it: one upstream for every model, one client key, an access log of JSON
/// lines.
enum DriverGateway {
    /// Creates the gateway with the model of the drivers.
    static let prices = PriceList(own: [
        PriceEntry(name: "mock", price: TokenPrice(input: 700_000, output: 1_300_000), source: .builtIn)
    ])

    static func make(
        baseURL: BaseURL, transport: any RelayTransport, prices: PriceList? = PriceList(),
        metrics: (any MetricRecording)? = nil, ledger: (any UsageLedger)? = nil, limits: DriverLimits = .none
    ) -> Gateway {
        let upstream = UpstreamConfiguration(name: "mock", kind: .openai, apiKey: Secret("sk-bench"))
        var key = KeyConfiguration(name: "driver", digest: KeyDigest(of: Samples.clientKey.utf8).bytes)
        limits.apply(to: &key)
        let definition = UpstreamDefinition(upstream, baseURL: baseURL, credentials: upstream.apiKeys) { _ in transport
        }
        let configuration = Configuration(
            upstreams: [], models: [ModelConfiguration(name: "*", upstream: "mock")], keys: [key],
            groups: [limits.group], prices: prices)
        var parts = GatewayParts()
        parts.ledger = ledger
        parts.metrics = metrics
        parts.accessLog = AccessLog(
            format: .json, sink: DiscardedLines(), realtime: headgate_realtime_nanoseconds)
        return Gateway(
            snapshot: GatewaySnapshot(configuration, upstreams: [definition], parts: parts),
            realtime: headgate_realtime_nanoseconds)
    }

    /// Runs a task on an event loop of this thread, as requests run.
    static func onLoop(_ work: @escaping @Sendable (EventLoop) async throws -> Int) throws -> Int {
        let loop = EventLoop()
        let outcome = Locked<Result<Int, any Error>?>(nil)
        loop.execute {
            Task(executorPreference: loop) {
                let result: Result<Int, any Error>
                do { result = .success(try await work(loop)) } catch { result = .failure(error) }
                outcome.withLock { $0 = result }
                loop.stop()
            }
        }
        loop.run()
        guard let result = outcome.withLock({ $0 }) else { throw DriverError("the loop ended before its task") }
        return try result.get()
    }
}

/// Log sink that discards the lines of an access log.
private final class DiscardedLines: LogSink {
    // One buffer for all lines, because the real sink gathers them.
    private let lines = Locked(LogLines())

    func write(_ append: (inout LogLines) -> Void) {
        lines.withLock { lines in
            lines.bytes.removeAll(keepingCapacity: true)
            append(&lines)
        }
    }
}
