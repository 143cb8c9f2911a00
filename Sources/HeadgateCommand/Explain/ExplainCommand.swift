import ArgumentParser
import FoundationEssentials
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateService

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Show what would happen to a request, which is not sent.",
        discussion: """
            Asks the gateway with 'x-headgate-explain: 1': the targets in the order in which they would be tried, each \
            with its state, what changes in the request, and an equivalent curl line without secrets. It takes an \
            admin key where the gateway has several callers. If none is running, one is started for it.

            Examples:
              headgate explain --model smart
              headgate explain --route messages < request.json
              headgate explain --model smart --json | jq -r '.targets[].state'
            """)

    @OptionGroup var gateway: GatewayOptions

    @Option(
        name: .shortAndLong, help: "Explain a minimal request for this model, in place of one on standard input.",
        completion: ModelNames.completion)
    var model: String?

    @Option(help: "Where the request would be sent; default: what its members tell, else chat.")
    var route: ExplainedRoute?

    @Flag(help: "Print the gateway's answer as it is.")
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
