import HeadgateService
import HeadgateTerminal

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Programs that a gateway runs for its upstreams, as reported by `/status/data`.
struct LoadedPrograms: Decodable {
    struct Upstream: Decodable {
        let name: String
        let program: Program?
    }

    struct Program: Decodable {
        let state: String
        let reason: String?
        let group: String?
        let requestsInFlight: Int
        let waiting: Int
        let starts: Int
    }

    let upstreams: [Upstream]

    /// Reads the programs from the gateway.
    ///
    /// - Throws: ``Complaint``.
    static func read(_ gateway: GatewayOptions) throws -> LoadedPrograms {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = try ReachableGateway.answer(to: "/status/data", gateway)
        guard let programs = try? decoder.decode(LoadedPrograms.self, from: Data(body)) else {
            throw Complaint("what answers is no gateway that shows its status")
        }
        return programs
    }

    var lines: [String] {
        let rows = upstreams.compactMap { upstream in
            upstream.program.map { program in
                [
                    Neutralised.line(upstream.name), program.state, Neutralised.line(program.group ?? "-"),
                    "\(program.requestsInFlight)", "\(program.waiting)", "\(program.starts)",
                    Neutralised.line(program.reason ?? ""),
                ]
            }
        }
        guard !rows.isEmpty else { return ["the gateway runs no programs"] }
        let titles = ["UPSTREAM", "STATE", "GROUP", "IN FLIGHT", "WAITING", "STARTS", ""]
        return TextTable(titles, rows, right: [3, 4, 5]).lines
    }
}
