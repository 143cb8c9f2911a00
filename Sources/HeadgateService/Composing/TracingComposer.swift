import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateRelay
import HeadgateUpstream
import Synchronization

/// Composes tracing from `tracing:`, and keeps it over reloads that do not change it.
final class TracingComposer: StoreComposer {
    struct Plan {
        fileprivate let configuration: TracingConfiguration
        fileprivate let exporter: SpanExporter
        let tracing: Tracing
    }

    /// Number of lost spans since the start.
    final class Losses: Sendable {
        private let spans = Atomic(0)

        var count: Int { spans.load(ordering: .relaxed) }

        func add(_ count: Int) { spans.wrappingAdd(count, ordering: .relaxed) }
    }

    private let network: UpstreamNetwork
    private let log: LogWriter
    private let losses: Losses
    private var current: Plan?

    init(network: UpstreamNetwork, log: LogWriter, losses: Losses) {
        (self.network, self.log, self.losses) = (network, log, losses)
    }

    func plan(_ configuration: Configuration) throws -> Plan? {
        guard let configuration = configuration.tracing else { return nil }
        if let current, current.configuration == configuration { return current }
        let collector = try SpanCollector(configuration, over: network)
        let (log, losses) = (log, losses)
        let exporter = SpanExporter(
            configuration, to: collector, group: network.group,
            lose: { losses.add($0) }, say: { log.say($0) })
        return Plan(
            configuration: configuration, exporter: exporter,
            tracing: Tracing(configuration, recording: exporter, realtime: headgate_realtime_nanoseconds))
    }

    func provide(_ plan: Plan, for _: Configuration, to parts: inout GatewayParts) { parts.tracing = plan.tracing }

    func adopt(_ plan: Plan?) {
        if let exporter = current?.exporter, exporter !== plan?.exporter { exporter.end() }
        current = plan
    }

    /// Sends pending spans.
    func stop() { current?.exporter.close() }

    func close() {}
}
