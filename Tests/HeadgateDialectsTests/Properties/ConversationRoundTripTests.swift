import Testing

@testable import HeadgateDialects

@Suite("A conversation translated through two formats")
struct ConversationRoundTripTests {
    static let pairs = WireFormat.allCases.flatMap { client in
        WireFormat.allCases.filter { $0 != client }.map { (client, $0) }
    }

    @Test("keeps its speakers, texts, calls, results and order", arguments: pairs)
    func conversations(client: WireFormat, upstream: WireFormat) throws {
        for seed in 0..<100 as Range<UInt64> {
            let original = RandomConversation.request(seed: seed)
            var losses = Losses(client: ClientFormat(client))
            let first = try client.requestWriter.write(original, for: TargetTraits(), &losses).body
            let there = try translate(JSONValue.object(first).bytes, from: client, to: upstream)
            let back = try translate(there, from: upstream, to: client)
            let result = try ClientFormat(client).requestReader.read(try #require(try JSONValue(back).object), &losses)
            try #require(bytes(result.pieces) == bytes(original.pieces), "seed \(seed)")
        }
    }

    /// Returns the pieces as bytes, because canonically equivalent strings are equal but translated text must not
    /// change.
    private func bytes(_ pieces: [[String]]) -> [[[UInt8]]] { pieces.map { $0.map { Array($0.utf8) } } }

    private func translate(_ body: [UInt8], from: WireFormat, to: WireFormat) throws -> [UInt8] {
        let translated = try RequestTranslation.translate(body, from: ClientFormat(from), to: to, for: TargetTraits())
        #expect(translated.dropped.isEmpty)
        return translated.body
    }
}
