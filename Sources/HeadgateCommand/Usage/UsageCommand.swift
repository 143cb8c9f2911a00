import ArgumentParser
import HeadgateService
import HeadgateTerminal

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

struct UsageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Show what requests have used, and what that costs.",
        discussion: """
            The running gateway answers: a key with 'admin: true' sees all requests, another key only its own.

            ≥ marks a sum that includes requests of unknown cost. ≈ marks a sum that includes estimated tokens, if the \
            upstream has not counted them. --json and --csv export the same rows.

            Examples:
              headgate usage
              headgate usage --by model --since 30d
              headgate usage --by day --since 90d --csv > usage.csv
            """)

    enum Grouping: String, ExpressibleByArgument, CaseIterable {
        case key, model, upstream, day, minute
    }

    @Option(help: "Rows: key, model, upstream, day or minute.")
    var by = Grouping.key

    @Option(
        help: ArgumentHelp(
            "Period before now, such as 90m, 24h or 30d; default: 7d. By minute the default and the maximum are 24h.",
            valueName: "time"))
    var since: String?

    @Flag(help: "Print the gateway's JSON.")
    var json = false

    @Flag(help: "Print comma-separated values.")
    var csv = false

    @OptionGroup var gateway: GatewayOptions

    func validate() throws {
        if json, csv { throw ValidationError("--json and --csv exclude each other") }
        guard let since else { return }
        guard !since.isEmpty, since.utf8.allSatisfy({ $0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 < 10 }) else {
            throw ValidationError("--since takes a time such as 90m, 24h or 7d")
        }
    }

    func run() throws {
        try reporting {
            let since = since.map { "&since=\($0)" } ?? ""
            let body = try ReachableGateway.answer(to: "/v1/usage?by=\(by.rawValue)\(since)", gateway)
            if json { return print(String(decoding: body, as: UTF8.self)) }
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            guard let usage = try? decoder.decode(Usage.self, from: Data(body)) else {
                throw Complaint("what answers is no gateway that keeps usage")
            }
            for line in csv ? usage.csv(title: by.rawValue) : usage.table(title: by.rawValue.uppercased()) {
                print(line)
            }
        }
    }
}

/// A gateway's usage response.
struct Usage: Decodable {
    struct Row: Decodable {
        let name: String
        let requests: Int
        let promptTokens: Int
        let completionTokens: Int
        let cachedTokens: Int
        let costUsd: Decimal?
        let costUnknownRequests: Int
        /// Number of requests with estimated tokens; nil from a gateway that does not estimate.
        let estimatedRequests: Int?
        let unfinishedRequests: Int
    }

    let rows: [Row]

    func table(title: String) -> [String] {
        guard !rows.isEmpty else { return ["no requests"] }
        let titles = [title, "REQUESTS", "TOKENS IN", "CACHED", "TOKENS OUT", "COST"]
        return TextTable(
            titles,
            rows.map { row in
                [
                    row.name.isEmpty ? "-" : Neutralised.line(row.name), "\(row.requests)", "\(row.promptTokens)",
                    "\(row.cachedTokens)", "\(row.completionTokens)", row.cost,
                ]
            }, right: [1, 2, 3, 4]
        ).lines
    }

    func csv(title: String) -> [String] {
        [
            "\(title),requests,prompt_tokens,cached_tokens,completion_tokens,cost_usd,cost_unknown_requests,"
                + "unfinished_requests,estimated_requests"
        ]
            + rows.map { row in
                [
                    Usage.quoted(row.name), "\(row.requests)", "\(row.promptTokens)", "\(row.cachedTokens)",
                    "\(row.completionTokens)", row.costUsd.map { "\($0)" } ?? "", "\(row.costUnknownRequests)",
                    "\(row.unfinishedRequests)", "\(row.estimatedRequests ?? 0)",
                ].joined(separator: ",")
            }
    }

    /// Returns a CSV field (RFC 4180) without control characters. A text that a spreadsheet would treat as a formula is
    /// marked as text.
    ///
    /// It processes scalars: a quote with a combining mark is a different character, but readers of CSV still see the
    /// quote.
    private static func quoted(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } ?? false
        let safe = (isFormula ? "'" : "") + Neutralised.line(text)
        guard !safe.utf8.allSatisfy(isPlain) else { return safe }
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in safe.unicodeScalars {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return String(quoted)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x2F, 0x3A, 0x5F: true
        default: false
        }
    }
}

extension Usage.Row {
    /// Cost such as `≈ $0.12 (2 of 40 requests estimated)`.
    ///
    /// If unknown costs would add to it, it is `≥ $0.12 (3 of 40 requests unknown)`.
    var cost: String {
        guard let costUsd else { return "unknown" }
        let parts = [(costUnknownRequests, "unknown"), (estimatedRequests ?? 0, "estimated")].filter { $0.0 > 0 }
        guard let first = parts.first else { return "$\(costUsd)" }
        let counts = parts.map { "\($0) of \(requests) requests \($1)" }.joined(separator: ", ")
        return "\(first.1 == "unknown" ? "≥" : "≈") $\(costUsd) (\(counts))"
    }
}
