import Foundation
import HTTPTypes
import HeadgateFaults
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Every fault of an upstream, before and after content, with another target left and without, for clients of all
/// dialects, native and translated. The table is in `docs/reliability.md`.
@Suite struct DialectFaultsTests {
    typealias Plan = PlannedTransport.Plan

    /// Moment at which a fault occurs.
    enum Moment: String, CaseIterable {
        case atOnce = "at once"
        case beforeContent = "before text"
        case withContent = "with text"
        case afterContent = "after text"
    }

    struct Fault: Sendable {
        enum Kind: Sendable {
            /// Response instead of a stream.
            case whole(Plan)
            /// Invalid document with status 200.
            case document
            /// End or failure of the body.
            case end(Result<Void, TransportError>)
            /// Event of the format; nil if the format has no such event.
            case event(@Sendable (FaultFormat) -> String?)
        }

        let name: String
        let kind: Kind

        init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

        var moments: [Moment] {
            switch kind {
            case .whole, .document: [.atOnce]
            case .end: [.atOnce, .beforeContent, .afterContent]
            case .event: Moment.allCases
            }
        }

        func plan(_ moment: Moment, _ format: FaultFormat) -> Plan? {
            var before: [String]
            switch moment {
            case .atOnce: before = []
            case .beforeContent: before = [format.beginning]
            case .withContent: before = [format.beginning + format.text("A")]
            case .afterContent: before = [format.beginning, format.text("A")]
            }
            switch kind {
            case .whole(let plan): return plan
            case .document: return .json(format.document)
            case .end(let end): return Plan(headerFields: Plan.events, chunks: before, end: end)
            case .event(let make):
                guard let event = make(format) else { return nil }
                if moment == .withContent { before[0] += event } else { before.append(event) }
                return Plan(headerFields: Plan.events, chunks: before)
            }
        }
    }

    private static let error = #"{"error":{"message":"no","type":"server_error"}}"#

    private static func broken(_ kind: TransportError.Kind) -> Fault.Kind { .end(.failure(TransportError(kind))) }

    static let faults: [Fault] = [
        Fault("connection refused", .whole(.failing(.connect))), Fault("no route", .whole(.failing(.unreachable))),
        Fault("connect timeout", .whole(.failing(.connectTimeout))), Fault("TLS", .whole(.failing(.tls, "expired"))),
        Fault("first byte timeout", .whole(.failing(.responseTimeout))),
        Fault("closed without a head", .whole(.failing(.closedBeforeResponse))),
        Fault("not HTTP", .whole(.failing(.protocolViolation))),
        Fault("starting", .whole(.failing(.notReady, "It starts"))),
        Fault("301", .whole(.json("", status: 301))), Fault("400", .whole(.json(error, status: 400))),
        Fault("401", .whole(.json(error, status: 401))), Fault("403", .whole(.json(error, status: 403))),
        Fault("404", .whole(.json(error, status: 404))), Fault("408", .whole(.json(error, status: 408))),
        Fault("413", .whole(.json(error, status: 413))), Fault("429", .whole(.json(error, status: 429))),
        Fault("500", .whole(.json(error, status: 500))), Fault("503", .whole(.json("", status: 503))),
        Fault("529", .whole(.json(error, status: 529))), Fault("error, status 200", .whole(.json(error))),
        Fault("whole answer", .document),
        Fault("page", .whole(Plan(headerFields: [.contentType: "text/html"], chunks: ["<html>log in</html>"]))),
        Fault("end", .end(.success(()))), Fault("reset", broken(.truncatedBody)),
        Fault("silence", broken(.silenceTimeout)), Fault("bad framing", broken(.protocolViolation)),
        Fault("bad encoding", broken(.encoding)), Fault("error event", .event { $0.error }),
        Fault("error event, no JSON", .event { _ in "event: error\ndata: Internal Server Error\n\n" }),
        Fault("response.failed", .event { $0 == .responses ? FaultFormat.failedResponse : nil }),
        Fault("no JSON", .event { _ in "data: {]\n\n" }),
    ]

    // MARK: One fault

    /// Returns one word for what the client receives.
    private func word(_ answer: InProcessGateway.Response, _ client: FaultLane.Client) -> String {
        let hasText = answer.text.contains(#""A""#)
        if answer.status != 200 {
            return hasText || !answer.text.contains("error") ? "?\(answer.text)" : "\(answer.status)"
        }
        let isBroken = client.isBroken(answer.text)
        if answer.text.contains(#""B""#), !hasText, !isBroken, client.isWhole(answer.text) { return "next" }
        guard isBroken, !client.isWhole(answer.text), !answer.text.contains(#""B""#) else { return "?\(answer.text)" }
        return hasText ? "text" : "event"
    }

    /// Returns the outcomes with another target left and without one; nil if the upstream cannot have the fault.
    private func outcome(of fault: Fault, _ moment: Moment, _ lane: FaultLane) async throws -> String? {
        guard let plan = fault.plan(moment, lane.upstream) else { return nil }
        var words: [String] = []
        for plans in [[plan, lane.upstream.good], [plan]] {
            let gateway = lane.gateway(plans)
            let answer = await lane.ask(gateway)
            let word = self.word(answer, lane.client)
            words.append(word)
            let line = try gateway.running.log.members(of: gateway.running.log.all.count - 1)
            if word == "next" {
                #expect(line["outcome"] == "finished" && answer.headerFields[.xHeadgateUpstream] == "b")
            } else {
                #expect(
                    ["upstream_failed", "timed_out"].contains(line["outcome"]), "\(fault.name), \(moment): \(line)")
                #expect(line["error"] != nil, "\(fault.name), \(moment): \(line)")
            }
            // A fault that proves the target broken opens its breaker, and the next request goes directly to another
            // target.
            guard moment != .atOnce, plans.count == 2 else { continue }
            let before = gateway.sent
            #expect(self.word(await lane.ask(gateway), lane.client) == "next")
            #expect(gateway.sent == [before[0], before[1] + 1], "\(fault.name), \(moment), \(lane)")
        }
        return words[0] == words[1] ? words[0] : words.joined(separator: " ")
    }

    // MARK: The table

    /// Columns with their lanes. A translated column has a lane for each other format.
    private static let columns: [(name: String, lanes: [FaultLane])] = FaultLane.Client.allCases.flatMap { client in
        [true, false].map { isNative in
            (
                isNative ? client.rawValue : "\(client)*",
                FaultLane.all.filter { $0.client == client && $0.isNative == isNative }
            )
        }
    }.filter { !$0.lanes.isEmpty }

    private static func padded(_ cells: [String]) -> String {
        let widths = [22, 13] + columns.map { _ in 12 }
        let padded = zip(cells, widths).map { $0.padding(toLength: max($1, $0.count + 1), withPad: " ", startingAt: 0) }
        return padded.joined().trimmingCharacters(in: .whitespaces)
    }

    private func table() async throws -> String {
        var lines = [Self.padded(["fault", "when"] + Self.columns.map(\.name))]
        for fault in Self.faults {
            for moment in fault.moments {
                var cells: [String] = []
                for column in Self.columns {
                    var words: [String] = []
                    for lane in column.lanes {
                        guard let word = try await outcome(of: fault, moment, lane), !words.contains(word) else {
                            continue
                        }
                        words.append(word)
                    }
                    cells.append(words.isEmpty ? "-" : words.joined(separator: " or "))
                }
                #expect(!cells.contains { $0.contains("?") }, "\(fault.name), \(moment): \(cells)")
                lines.append(Self.padded([fault.name, moment.rawValue] + cells))
            }
        }
        return lines.joined(separator: "\n")
    }

    @Test func documentedFaultTableIsAccurate() async throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = try String(contentsOf: root.appending(path: "docs/reliability.md"), encoding: .utf8)
        let table = try await self.table()
        #expect(document.contains("```text\n\(table)\n```"), "docs/reliability.md must have this table:\n\(table)")
    }
}
