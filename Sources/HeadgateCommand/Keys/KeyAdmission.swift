import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgateService

/// Waits until running gateways accept a new key, because they learn of it from their store with a delay.
struct KeyAdmission {
    private let configuration: Configuration
    private let group: EventLoopGroup

    init(_ configuration: Configuration, group: EventLoopGroup) {
        self.configuration = configuration
        self.group = group
    }

    /// Waits, for at most a few seconds, until this user's gateways accept the key. If none of them runs, waits for the
    /// gateway that the configuration describes. Returns at once if no gateway runs.
    ///
    /// - Parameter isFirst: Whether requests without a key must be rejected by then.
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
        // In these cases, the gateway does not know the key yet.
        return !["keys_appear", "keys_unknown"].contains(answer.errorCode)
    }

    private func answer(to key: String?, _ gateway: BaseURL, _ probe: GatewayProbe) -> GatewayProbe.Response? {
        try? probe.ask("/v1/usage?by=key", of: gateway, key: key)
    }
}
