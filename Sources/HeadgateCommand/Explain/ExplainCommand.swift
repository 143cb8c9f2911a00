import ArgumentParser
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show where a request would go, without sending it.",
        discussion: """
            Prints the targets in order, each with its state, the changes to the request, and an equivalent curl \
            command without secrets. It sends the request to the gateway with 'x-headgate-explain: 1'. A gateway with \
            several callers requires a key with 'admin: true'. If no gateway runs, the command starts one.

            Examples:
              headgate explain --model smart
              headgate explain --route messages < request.json
              headgate explain --model smart --json | jq -r '.targets[].state'
            """)

    @OptionGroup var gateway: GatewayOptions

    @Option(
        name: .shortAndLong, help: "Model of a minimal request, instead of a request on standard input.",
        completion: ModelNames.completion)
    var model: String?

    @Option(help: "Route of the request; default: the one that its members indicate, else chat.")
    var route: ExplainedRoute?

    @Flag(help: "Print the gateway's JSON.")
    var json = false

    func run() throws {
        try reporting {
            let body = try model.map { try (route ?? .chat).request(model: $0) } ?? givenRequest()
            let path = try (route ?? ExplainedRoute(takingBody: body)).path
            do {
                let response = try ask(path, body)
                guard response.status == 200 else { throw Complaint(response.complaint) }
                announce(
                    json ? String(decoding: response.body, as: UTF8.self) : try ExplanationText(response.body).text)
            } catch let interruption as Interruption {
                throw ExitCode(interruption.exitCode)
            } catch let error as TransportError {
                throw Complaint("the gateway does not answer: \(error.detail.isEmpty ? "nothing came" : error.detail)")
            } catch is DecodingError {
                throw Complaint("what answers is no gateway that explains requests")
            }
        }
    }

    private func ask(_ path: String, _ body: [UInt8]) throws -> GatewayProbe.Response {
        let group = try EventLoopGroup(starting: 1)
        defer { group.stop() }
        let relay = try SignalRelay(group: group)
        let found = try ReachableGateway.find(gateway, group: group, relay: relay) { complain("headgate: \($0)") }
        defer { found.close() }
        return try GatewayProbe(group: group).explain(path, body, at: found.root, key: found.key)
    }

    private func givenRequest() throws -> [UInt8] {
        guard !StandardInput.isTerminal else {
            throw Complaint("give a request on standard input, or --model with a name")
        }
        return try StandardInput.read()
    }
}
