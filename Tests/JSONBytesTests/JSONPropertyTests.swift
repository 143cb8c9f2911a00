import HeadgateTesting
import JSONBytes
import Testing

@Suite struct JSONPropertyTests {
    private static let seeds: Range<UInt64> = 1..<301

    @Test func validDocumentsAreAcceptedWithTheirRanges() throws {
        for seed in Self.seeds {
            let document = RandomDocument(seed: seed)
            #expect(refusal(document.bytes) == nil, "seed \(seed)")
            try walk(document.bytes)
            var ranges: [Range<Int>] = []
            try document.bytes.withUnsafeBytes { bytes in
                var cursor = JSONCursor(bytes)
                try cursor.beginObject()
                while try cursor.nextKey() != nil { ranges.append(try cursor.skipValue()) }
                try cursor.finish()
                #expect(cursor.offset == bytes.count)
            }
            #expect(ranges == document.members, "seed \(seed)")
        }
    }

    @Test func everyProperPrefixEndsTooEarly() {
        for seed in Self.seeds {
            let bytes = RandomDocument(seed: seed).bytes
            for length in 0..<bytes.count {
                let prefix = Array(bytes[..<length])
                #expect(refusal(prefix) == JSONError(.endOfInput, at: length), "seed \(seed)")
                #expect(throws: JSONError(.endOfInput, at: length)) { try walk(prefix) }
            }
        }
    }

    /// Both ways of reading must accept the same documents, and refuse others for the same reason.
    @Test func corruptedDocumentsGetTheSameVerdictFromWalkingAndSkipping() {
        for seed in Self.seeds {
            var generator = SeededGenerator(state: seed)
            let original = RandomDocument(seed: seed).bytes
            for _ in 0..<40 {
                var bytes = original
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: 0...255, using: &generator)
                var walked: JSONError?
                do { try walk(bytes) } catch { walked = error as? JSONError }
                #expect(refusal(bytes) == walked, "seed \(seed)")
            }
        }
    }

    @Test func invalidPrefixStaysInvalidWhateverFollows() {
        let tails = ["", "\"", "}", "]", "\"}", "\"]}", "}}", ":1}", "0}", "e1}", "null}", "ull}"].map {
            Array($0.utf8)
        }
        for seed in Self.seeds {
            var generator = SeededGenerator(state: seed &* 31)
            var bytes = RandomDocument(seed: seed).bytes
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            for length in 0..<bytes.count {
                guard let error = refusal(Array(bytes[..<length])), error.kind != .endOfInput else { continue }
                #expect(error.offset < length)
                for tail in tails { #expect(refusal(bytes[..<length] + tail) != nil, "seed \(seed)") }
            }
        }
    }

    /// Strings have every length, so that the stop of a scan is at every offset in its words and close to the end.
    @Test func stringFaultsAreFoundAsByteByByte() {
        let stops = [
            "\"", "\\n", "\\x", "\\u00e9", "\\u00g9", "\n", "\u{7F}", "\u{1F}", "é", "語語", "\u{1F600}", "!", "#",
            "[", "]",
        ].map { Array($0.utf8) }
        let broken: [[UInt8]] = [
            [0x80], [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5], [0xFF],
        ]
        for stop in stops + broken {
            for before in 0..<40 {
                for after in [0, 1, 7, 8, 9, 15, 16, 17, 33] {
                    let text = Array("{\"k\":\"".utf8) + [UInt8](repeating: 0x61, count: before) + stop
                    let bytes = text + [UInt8](repeating: 0x62, count: after) + Array("\"}".utf8)
                    #expect(
                        refusal(bytes) == PlainJSON.refusal(bytes), "\(stop) after \(before), \(after) before the end")
                }
            }
        }
    }

    @Test func documentsAndMutationsMatchTheReferenceParser() {
        for seed in Self.seeds {
            var generator = SeededGenerator(state: seed &* 17)
            let original = RandomDocument(seed: seed).bytes
            #expect(PlainJSON.refusal(original) == nil, "seed \(seed)")
            for _ in 0..<60 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let index = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: bytes.remove(at: index)
                    case 1: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: index)
                    case 2: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                    default: bytes[index] = Array("\"\\{}[],:0e-".utf8).randomElement(using: &generator) ?? 0
                    }
                    if bytes.isEmpty { bytes = [0x20] }
                }
                let expected = PlainJSON.refusal(bytes, maximumDepth: 4)
                #expect(
                    refusal(bytes, maximumDepth: 4) == expected,
                    "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
                let cut = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
                #expect(refusal(cut) == PlainJSON.refusal(cut), "seed \(seed), cut")
            }
        }
    }
}
