import ArgumentParser
import CHeadgate
import HeadgateConfiguration
import HeadgateGateway
import HeadgateRelay

struct RoutesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes", abstract: "List the routes that the gateway serves.")

    @Flag(name: .long, help: "List what requests pass instead: gates, and the parts around requests and attempts.")
    var chain = false

    func run() throws {
        if chain { return RoutesCommand.printChains() }
        let snapshot = GatewaySnapshot(Configuration(upstreams: [], models: []), upstreams: [])
        let gateway = Gateway(snapshot: snapshot, realtime: headgate_realtime_nanoseconds)
        for route in gateway.routes {
            let padding = String(repeating: " ", count: max(1, 7 - route.method.utf8.count))
            print("\(route.method)\(padding)\(route.path)  \(route.operationID)")
        }
    }

    private static func printChains() {
        for chain in CapabilityOrder.listings {
            print("\(chain.title)")
            for part in chain.parts { print("  \(part)") }
            print()
        }
        print("A request passes only the parts that are configured. Most names are configuration keys.")
    }
}
