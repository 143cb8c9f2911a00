import HeadgateTesting
import Testing

@testable import HeadgateDialects

/// Valid requests and streams with a few random changes. The output is always complete JSON, and never more than a
/// small multiple of the input.
@Suite("Randomly changed input")
struct TranslationMutationTests {
    private static let tokens = [
        "null", "true", "-1", "1e999", "\"\"", "[]", "{}", "[[]]", "\"text\"", "\"input_text\"", "\"tool_use\"",
        "\"function\"", "\"assistant\"", "\"tool\"", "\"system\"", "\"data:;base64,\"", "\"headgate:messages::x\"",
    ]

    @Test("is translated to a valid request, or refused", arguments: ConversationRoundTripTests.pairs)
    func requests(client: WireFormat, upstream: WireFormat) throws {
        var random = SeededGenerator(state: 1)
        var refused = 0
        let count = 250
        for seed in 0..<UInt64(count) {
            var losses = Losses(client: ClientFormat(client))
            let original = RandomConversation.request(seed: seed % 50)
            var body = JSONValue.object(try client.requestWriter.write(original, for: TargetTraits(), &losses).body)
            for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&body, &random) }
            do {
                let translated = try RequestTranslation.translate(
                    body.bytes, from: ClientFormat(client), to: upstream, for: TargetTraits())
                let written = try #require(try JSONValue(translated.body).object)
                #expect(written["model"]?.string != nil)
                #expect(translated.body.count < 4 * body.bytes.count + 4096)
            } catch is TranslationError {
                refused += 1
            }
        }
        // Some requests are refused, and some are accepted.
        #expect((1..<count).contains(refused))
    }

    @Test("is translated to whole events, or fails", arguments: ConversationRoundTripTests.pairs)
    func streams(client: WireFormat, upstream: WireFormat) throws {
        var random = SeededGenerator(state: 2)
        for seed in 0..<150 as Range<UInt64> {
            var documents = try Streams.documents(
                of: Streams.write(RandomResponse.events(seed: seed % 50), as: upstream)
            ).filter { $0 != Streams.doneMark }.map { try JSONValue($0) }
            for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&documents, &random) }
            var translation = StreamTranslation(from: upstream, to: ClientFormat(client), Streams.context)
            var output: [UInt8] = []
            do {
                for document in documents where !translation.facts.hasEnded && !translation.facts.hasFailed {
                    try document.bytes.withUnsafeBytes { try translation.receive($0, into: &output) }
                }
                if !translation.facts.hasEnded, !translation.facts.hasFailed {
                    _ = try translation.end(isMarked: true, into: &output)
                }
            } catch is ResponseFault {}
            #expect(output.isEmpty || output.suffix(2).elementsEqual("\n\n".utf8))
            let events = try Streams.documents(of: output).filter { $0 != Streams.doneMark }.map { try JSONValue($0) }
            #expect(events.allSatisfy { $0.object != nil })
            #expect(events.count == translation.eventCount)
            if client == .responses {
                #expect(events.map { $0["sequence_number"]?.integer } == Array(0..<events.count))
            }
        }
    }

    /// Changes one value anywhere in the document.
    private func mutate(_ value: inout JSONValue, _ random: inout SeededGenerator) {
        let goesDeeper = Int.random(in: 0..<6, using: &random) > 0
        switch value {
        case .object(var object) where goesDeeper && !object.members.isEmpty:
            let place = object.members.indices.randomElement(using: &random) ?? 0
            if Int.random(in: 0..<8, using: &random) == 0 {
                object.members.remove(at: place)
            } else {
                mutate(&object.members[place].value, &random)
            }
            value = .object(object)
        case .array(var elements) where goesDeeper && !elements.isEmpty:
            let place = elements.indices.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<8, using: &random) {
            case 0: elements.remove(at: place)
            case 1: elements.append(elements[place])
            case 2: elements.swapAt(place, elements.indices.randomElement(using: &random) ?? place)
            default: mutate(&elements[place], &random)
            }
            value = .array(elements)
        default:
            let token = Self.tokens.randomElement(using: &random) ?? "null"
            value = (try? JSONValue(Array(token.utf8))) ?? nil
        }
    }

    /// Changes, repeats, removes or moves one event.
    private func mutate(_ documents: inout [JSONValue], _ random: inout SeededGenerator) {
        guard let place = documents.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: documents.remove(at: place)
        case 1: documents.insert(documents[place], at: place)
        case 2: documents.swapAt(place, documents.indices.randomElement(using: &random) ?? place)
        default: mutate(&documents[place], &random)
        }
    }
}
