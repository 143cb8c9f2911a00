import Foundation
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Random faults at random bytes of two upstreams with different texts.
@Suite struct MixedAnswersTests {
    typealias Plan = PlannedTransport.Plan

    private static let ends: [Result<Void, TransportError>] = [
        .success(()), .failure(TransportError(.truncatedBody)), .failure(TransportError(.silenceTimeout)),
        .failure(TransportError(.protocolViolation)), .failure(TransportError(.encoding, "bad")),
    ]
    private static let injected = [
        "data: {\"error\":{\"message\":\"boom\"}}\n\n", "data: {]\n\n", "<html>\n", "data: [DONE]\n\n",
    ]

    private func plan(_ letter: String, _ random: inout SeededGenerator) -> Plan {
        let texts = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            String(repeating: letter, count: Int.random(in: 1...9, using: &random))
        }
        let whole = Plan.role + texts.map(Plan.content).joined() + Plan.finish + Plan.done
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            return .failing([.connect, .tls, .responseTimeout, .unreachable].randomElement(using: &random) ?? .connect)
        case 1: return .json("{\"error\":{}}", status: [401, 404, 429, 500, 503].randomElement(using: &random) ?? 500)
        case 2, 3: return Plan(headerFields: Plan.events, chunks: cut(whole, &random))
        case 4:
            let events = whole.split(separator: "\n\n").map { $0 + "\n\n" }
            let place = Int.random(in: 0...events.count, using: &random)
            let fault = Self.injected.randomElement(using: &random) ?? ""
            return Plan(
                headerFields: Plan.events,
                chunks: cut(events[..<place].joined() + fault + events[place...].joined(), &random))
        default:
            let part = String(whole.prefix(Int.random(in: 0...whole.utf8.count, using: &random)))
            return Plan(
                headerFields: Plan.events, chunks: cut(part, &random), end: Self.ends.randomElement(using: &random))
        }
    }

    private func cut(_ text: String, _ random: inout SeededGenerator) -> [String] {
        var rest = text[...]
        var chunks: [String] = []
        while !rest.isEmpty {
            let count = Int.random(in: 1...max(1, rest.count / 2), using: &random)
            chunks.append(String(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return chunks
    }

    @Test func responsesNeverMixOrFalselyLookComplete() async {
        var random = SeededGenerator(state: 14)
        for run in 0..<2_000 * SeededGenerator.rounds {
            let plans = [plan("A", &random), plan("B", &random)]
            let gateway = RoutedGateway(plans.map { [$0] })
            let answer = await gateway.chat()
            #expect(!(answer.text.contains("AA") && answer.text.contains("BB")), "run \(run): \(answer.text)")
            let letters = Set(content(of: answer.text))
            #expect(letters.count <= 1, "run \(run): \(answer.text)")
            guard answer.status == 200, answer.text.hasSuffix(Plan.done) else {
                #expect(answer.text.contains("\"error\""), "run \(run): \(answer) \(plans)")
                continue
            }
            // A complete response has everything that one upstream sent.
            let sent = plans.map { self.content(of: $0.chunks.joined()) }
            #expect(sent.contains(content(of: answer.text)), "run \(run): \(answer.text)")
            #expect(answer.bodyEnds == ["complete"])
            #expect(!answer.text.contains("\"error\""), "run \(run)")
        }
    }

    /// Returns the content of a stream up to its end.
    private func content(of text: String) -> String {
        let untilDone = text.components(separatedBy: "data: [DONE]")[0]
        return untilDone.split(separator: "\"content\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }.joined()
    }
}
