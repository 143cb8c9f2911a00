import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import HeadgateUpstream

/// The gateway's own transport, one for each place that is examined: connections are never shared between two.
struct DoctorNetwork {
    private let network: UpstreamNetwork
    private let access: UpstreamAccess

    init(group: EventLoopGroup) {
        network = UpstreamNetwork(group: group)
        access = UpstreamAccess(tls: try? TLSContext.client(authorities: nil), allowsPrivateAddresses: true)
    }

    func client(of target: DoctorTarget) -> DoctorClient {
        let quick = TransferTimeouts(connect: .seconds(10), firstByte: .seconds(10), silence: .seconds(10))
        let transport = UpstreamTransport(network: network, access: access, timeouts: quick)
        // A model may take its time.
        let patient = transport.with(
            timeouts: TransferTimeouts(connect: .seconds(10), firstByte: .seconds(180), silence: .seconds(120)))
        return DoctorClient(base: target.url, key: target.key, quick: transport, patient: patient)
    }
}
