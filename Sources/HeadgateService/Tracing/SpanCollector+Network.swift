import CHeadgate
import HeadgateConfiguration
import HeadgateGateway
import HeadgateHTTP
import HeadgateNetwork
import HeadgateRelay
import HeadgateUpstream

extension SpanCollector {
    /// - Throws: ``Complaint`` if TLS cannot be used.
    init(_ configuration: TracingConfiguration, over network: UpstreamNetwork) throws {
        let timeouts = TransferTimeouts(
            connect: configuration.timeout, firstByte: configuration.timeout, silence: configuration.timeout)
        // Collectors are usually on a private network, and their address is configured deliberately.
        let access = UpstreamAccess(tls: try SpanCollector.tls(for: configuration), allowsPrivateAddresses: true)
        self.init(
            configuration, at: BaseURL(configuration.endpoint),
            over: UpstreamTransport(network: network, access: access, timeouts: timeouts),
            realtime: headgate_realtime_nanoseconds)
    }

    private static func tls(for configuration: TracingConfiguration) throws -> TLSContext? {
        guard configuration.endpoint.scheme == .https else { return nil }
        do {
            return try TLSContext.client(authorities: nil)
        } catch {
            throw Complaint("cannot use TLS for tracing: \(error.description)", exitCode: .configuration)
        }
    }
}
