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

    /// Also ties the two ways of reading together: both take or refuse a document, for the same reason.
    @Test func corruptedDocumentsAreJudgedTheSameByWalkingAndSkipping() {
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

    @Test func whatIsNotAPrefixStaysInvalidWhateverFollows() {
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
}
