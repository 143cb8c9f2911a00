import Foundation
import HeadgateConfiguration
import HeadgateTesting
import JSONBytes
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Every stream of the vectors, as events and as the text of a response: stored and served again, or never stored.
@Suite struct CachedVectorTests {
    typealias Plan = PlannedTransport.Plan

    private struct Vector: Decodable {
        let input: Data

        enum CodingKeys: String, CodingKey { case input = "input_base64" }
    }

    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Vectors/sse.json")

    /// Returns a chat response with this text, one character per chunk.
    private static func answer(_ bytes: Data) -> [[UInt8]] {
        let text = String(decoding: bytes.prefix(200), as: UTF8.self)
        let words = text.unicodeScalars.map { scalar in
            let literal = String(decoding: JSONEscaping.literal(String(Character(scalar))), as: UTF8.self)
            return Plan.event("{\"content\":\(literal)}")
        }
        return ([Plan.role] + words + [Plan.finish, CacheFormsTests.usage, Plan.done]).map { Array($0.utf8) }
    }

    /// Returns the bytes in pieces of equal size, which can end within an event.
    private static func cut(_ bytes: Data) -> [[UInt8]] {
        let size = max(1, bytes.count / 7)
        return stride(from: 0, to: bytes.count, by: size).map { Array(bytes.dropFirst($0).prefix(size)) }
    }

    private struct Answer {
        let digest: KeyDigest
        let isSent: Bool
        let isWhole: Bool
    }

    private func ask(_ number: Int, of routing: ManualRouting, _ chunks: [[UInt8]]) -> Answer {
        let count = routing.upstreams[0].calls.count
        let exchange = routing.chat(extra: #","seed":\#(number)"#)
        let isSent = routing.upstreams[0].calls.count > count
        if isSent, let call = routing.upstreams[0].calls.last {
            call.respond()
            for chunk in chunks { call.body.send(chunk) }
            call.body.finish()
        }
        return Answer(
            digest: KeyDigest(of: exchange.client.text.utf8), isSent: isSent,
            isWhole: exchange.status == 200 && exchange.client.text.hasSuffix(Plan.done)
                && exchange.client.text.contains(/"finish_reason": ?"/))
    }

    @Test func onlyCompleteStreamsAreCachedAndReplayedExactly() throws {
        let data = try Data(contentsOf: Self.file)
        let vectors = try JSONDecoder().decode([Vector].self, from: data)
        let inFile = String(decoding: data, as: UTF8.self).components(separatedBy: "\"input_base64\"").count - 1
        #expect(vectors.count == inFile && inFile >= 90)
        let store = ImmediateStore()
        func routing() -> ManualRouting {
            ManualRouting(targets: 1, cacheStore: store) { model, _ in model.cache = CacheConfiguration() }
        }
        let (running, restarted) = (routing(), routing())
        var kept = 0
        for (index, vector) in vectors.enumerated() {
            for (number, chunks) in [(2 * index, Self.cut(vector.input)), (2 * index + 1, Self.answer(vector.input))] {
                let first = ask(number, of: running, chunks)
                let again = [ask(number, of: running, chunks), ask(number, of: restarted, chunks)]
                #expect(first.isSent)
                let isKept = !again[0].isSent
                #expect(again.allSatisfy { $0.isSent != isKept && $0.digest == first.digest }, "stream \(number)")
                // Few vectors are chat streams, but a chat response with a vector's text always is one.
                #expect(isKept == first.isWhole && (isKept || number % 2 == 0), "stream \(number)")
                if isKept { kept += 1 }
            }
        }
        #expect(kept >= vectors.count && kept < vectors.count + 10 && store.count == kept)
    }
}
