import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgateService

/// The moment from which running gateways let a new key in: they hear of keys from their store, a little later.
struct KeyAdmission {
    private let configuration: Configuration
    private let group: EventLoopGroup

    init(_ configuration: Configuration, group: EventLoopGroup) {
        self.configuration = configuration
        self.group = group
    }

    /// Waits, for some seconds at most, until each of this user's gateways, or else the one that the configuration
    /// describes, takes the key. Returns at once if none runs.
    ///
    /// - Parameter isFirst: whether requests without a key are to be refused by then.
    func wait(for key: String, isFirst: Bool) throws {
        let probe = GatewayProbe(group: group, deadline: .now + .seconds(5))
        for gateway in try gateways(probe) {
            let isAdmitted = (0..<150).contains { _ in
                if !isFirst || isRefused(nil, gateway, probe), isLet(key, into: gateway, probe) { return true }
                usleep(20_000)
                return false
            }
            if !isAdmitted {
                complain("headgate: the gateway at \(gateway.authority) does not take the key yet: look at its log")
            }
        }
    }

    private func gateways(_ probe: GatewayProbe) throws -> [BaseURL] {
        let environment = ProcessEnvironment.current
        let urls = RuntimeRecord.running(environment).compactMap(\.plainAddress).compactMap {
            try? UpstreamURL(parsing: $0, allowingPlainHTTP: true)
        }
        guard urls.isEmpty else { return urls.map { BaseURL($0) } }
        let found = try ReachableGateway.running(configuration, key: nil, environment, probe) { _ in }
        return found.map { [$0.root] } ?? []
    }

    private func isRefused(_ key: String?, _ gateway: BaseURL, _ probe: GatewayProbe) -> Bool {
        answer(to: key, gateway, probe)?.status == 401
    }

    private func isLet(_ key: String, into gateway: BaseURL, _ probe: GatewayProbe) -> Bool {
        guard let answer = answer(to: key, gateway, probe), answer.status != 401 else { return false }
        // It has heard of the key, or of none yet, and lets it in a moment later.
        return !["keys_appear", "keys_unknown"].contains(answer.errorCode)
    }

    private func answer(to key: String?, _ gateway: BaseURL, _ probe: GatewayProbe) -> GatewayProbe.Response? {
        try? probe.ask("/v1/usage?by=key", of: gateway, key: key)
    }
}
