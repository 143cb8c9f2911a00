import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateNetwork
import HeadgateUpstream
import Synchronization

/// Turns `tracing:` into what gateways trace with, and keeps it over reloads that do not change it.
///
/// Belongs to the main thread.
final class TracingComposer {
    struct Plan {
        fileprivate let configuration: TracingConfiguration
        fileprivate let exporter: SpanExporter
        let tracing: Tracing
    }

    /// Spans that nobody got, since the start.
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

    /// Nil where nothing is traced.
    ///
    /// - Throws: ``Complaint`` where TLS cannot be used.
    func plan(_ configuration: TracingConfiguration?) throws -> Plan? {
        guard let configuration else { return nil }
        if let current, current.configuration == configuration { return current }
        let timeouts = TransferTimeouts(
            connect: configuration.timeout, firstByte: configuration.timeout, silence: configuration.timeout)
        // Collectors are usually on a private network; who names one means it.
        let access = UpstreamAccess(tls: try tls(for: configuration), allowsPrivateAddresses: true)
        let transport = UpstreamTransport(network: network, access: access, timeouts: timeouts)
        let collector = SpanCollector(
            configuration, at: BaseURL(configuration.endpoint), over: transport,
            realtime: headgate_realtime_nanoseconds)
        let (log, losses) = (log, losses)
        let exporter = SpanExporter(
            configuration, to: collector, group: network.group,
            lose: { losses.add($0) }, say: { log.say($0) })
        return Plan(
            configuration: configuration, exporter: exporter,
            tracing: Tracing(configuration, recording: exporter, realtime: headgate_realtime_nanoseconds))
    }

    private func tls(for configuration: TracingConfiguration) throws -> TLSContext? {
        guard configuration.endpoint.scheme == .https else { return nil }
        do {
            return try TLSContext.client(authorities: nil)
        } catch {
            throw Complaint("cannot use TLS for tracing: \(error.description)", exitCode: .configuration)
        }
    }

    /// From now on it is what requests are traced with. Those under way still tell the one before.
    func adopt(_ plan: Plan?) {
        if let exporter = current?.exporter, exporter !== plan?.exporter { exporter.end() }
        current = plan
    }

    /// Sends what is there. The loops still run.
    func close() { current?.exporter.close() }
}
