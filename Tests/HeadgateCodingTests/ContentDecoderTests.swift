import CZlib
import HeadgateCoding
import HeadgateHTTP
import HeadgateTesting
import Testing

@Suite struct ContentDecoderTests {
    private static let text = Array(String(repeating: "data: {\"delta\":\"Hello, wörld\"}\n\n", count: 12).utf8)

    @Test(arguments: Compressor.Format.allCases)
    func everySplitGivesTheSameBytes(format: Compressor.Format) {
        let coded = Compressor.compress(ContentDecoderTests.text, format)
        let decoded = everyWay(coded) { Decoded($0, format.coding) }
        #expect(decoded.bytes == ContentDecoderTests.text)
        #expect(decoded.error == nil)
    }

    @Test(arguments: [Compressor.Format.gzip, .zstd])
    func membersAndFramesFollowOneAnother(format: Compressor.Format) {
        let empty = Compressor.compress([], format)
        let coded =
            Compressor.compress(wire("first "), format) + empty + Compressor.compress(wire("second"), format) + empty
        let decoded = everyWay(coded) { Decoded($0, format.coding) }
        #expect(decoded.bytes == wire("first second"))
        #expect(decoded.error == nil)
    }

    @Test(arguments: Compressor.Format.allCases)
    func flushedBytesAreVisibleAtOnce(format: Compressor.Format) throws {
        let compressor = Compressor(format)
        let decoder = try #require(ContentDecoder(format.coding, maximumSize: .max))
        var output = [UInt8](repeating: 0, count: 1024)
        for number in 0..<20 {
            let event = wire("data: \(number)\n\n")
            let coded = compressor.write(event, flush: Z_SYNC_FLUSH)
            var offset = 0
            let count = try output.withUnsafeMutableBytes { output in
                try coded.withUnsafeBytes { try decoder.decode($0, &offset, into: output) }
            }
            #expect(Array(output[..<count]) == event)
            #expect(offset == coded.count)
        }
        #expect(throws: ContentCodingError.truncated) { try decoder.finish() }
    }

    @Test(arguments: Compressor.Format.allCases)
    func everyPrefixIsTruncated(format: Compressor.Format) {
        let coded = Compressor.compress(ContentDecoderTests.text, format)
        for length in 1..<coded.count {
            let decoded = Decoded([Array(coded[..<length])], format.coding)
            #expect(decoded.error == .truncated, "\(length) of \(coded.count)")
            #expect(ContentDecoderTests.text.starts(with: decoded.bytes))
        }
        #expect(Decoded([], format.coding).error == nil)
    }

    @Test(arguments: Compressor.Format.allCases)
    func bytesAfterTheEndAreRefused(format: Compressor.Format) {
        let coded = Compressor.compress(ContentDecoderTests.text, format)
        let decoded = everyWay(coded + wire("garbage")) { Decoded($0, format.coding) }
        #expect(decoded.error == .malformed)
        #expect(decoded.bytes == ContentDecoderTests.text)
    }

    @Test(arguments: [ContentCoding.gzip, .deflate, .zstd])
    func plainTextIsMalformed(coding: ContentCoding) {
        #expect(Decoded([wire("{\"error\":{\"message\":\"no\"}}")], coding).error != nil)
        #expect(Decoded([wire("data: x\n\n")], coding).error != nil)
    }

    @Test(arguments: [Compressor.Format.gzip, .zlib, .zstd])
    func damageIsDetectedByTheChecksum(format: Compressor.Format) {
        var coded = Compressor.compress(ContentDecoderTests.text, format, level: format == .zstd ? 1 : 0)
        coded[coded.count / 2] ^= 1
        #expect(Decoded([coded], format.coding).error == .malformed)
    }

    @Test func errorIsRepeated() throws {
        let decoder = try #require(ContentDecoder(.gzip, maximumSize: .max))
        var output = [UInt8](repeating: 0, count: 64)
        for _ in 0..<2 {
            var offset = 0
            #expect(throws: ContentCodingError.malformed) {
                try output.withUnsafeMutableBytes { output in
                    try wire("no gzip at all").withUnsafeBytes { try decoder.decode($0, &offset, into: output) }
                }
            }
        }
        #expect(throws: ContentCodingError.malformed) { try decoder.finish() }
    }

    @Test func sizeIsLimited() {
        let coded = Compressor.compress(ContentDecoderTests.text, .gzip)
        let size = ContentDecoderTests.text.count
        #expect(Decoded([coded], .gzip, maximumSize: size).error == nil)
        let decoded = everyWay(coded) { Decoded($0, .gzip, maximumSize: size - 1, room: 64) }
        #expect(decoded.error == .tooLarge(limit: size - 1))
        #expect(decoded.bytes == ContentDecoderTests.text.dropLast())
    }

    @Test(arguments: [Compressor.Format.gzip, .zstd]) func bombEndsLongBeforeItsSize(format: Compressor.Format) {
        let coded = Compressor.compress([UInt8](repeating: 0, count: 64 << 20), format, level: 9)
        let decoded = Decoded([coded], format.coding)
        #expect(decoded.error == .suspiciousRatio)
        #expect(decoded.bytes.count < 16 << 20)
    }

    @Test func zerosBelowTheBombThresholdPass() {
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        let decoded = Decoded([Compressor.compress(zeros, .gzip, level: 9)], .gzip)
        #expect(decoded.error == nil)
        #expect(decoded.bytes == zeros)
    }

    @Test func windowAboveEightMegabytesIsRefused() {
        // This is a frame header (RFC 8878 section 3.1.1) that declares a window of 16 MiB.
        let coded: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 14 << 3, 0x01, 0x00, 0x00]
        #expect(Decoded([coded], .zstd).error == .windowTooLarge)
    }

    @Test(arguments: Compressor.Format.allCases) func wholeBodyIsDecodedUpToItsLimit(format: Compressor.Format) throws {
        let text = ContentDecoderTests.text
        let coded = Compressor.compress(text, format)
        #expect(try ContentDecoder.decode(coded, format.coding, limit: text.count) == text)
        #expect(throws: ContentCodingError.tooLarge(limit: text.count - 1)) {
            try ContentDecoder.decode(coded, format.coding, limit: text.count - 1)
        }
        #expect(throws: ContentCodingError.truncated) {
            try ContentDecoder.decode(Array(coded.dropLast()), format.coding, limit: text.count)
        }
    }

    @Test func anyDataSurvivesAnyPieces() {
        var random = SeededGenerator(state: 7)
        for round in 0..<150 {
            let alphabet = UInt8.random(in: 1...255, using: &random)
            let data = (0..<Int.random(in: 0...20_000, using: &random)).map { _ in
                UInt8.random(in: 0...alphabet, using: &random)
            }
            let format = Compressor.Format.allCases.randomElement(using: &random) ?? .gzip
            let compressor = Compressor(format, level: Int32.random(in: 0...9, using: &random))
            var coded: [UInt8] = []
            for part in pieces(of: data, &random) {
                coded += compressor.write(part, flush: Bool.random(using: &random) ? Z_SYNC_FLUSH : Z_NO_FLUSH)
            }
            coded += compressor.write([], flush: Z_FINISH)
            let room = Int.random(in: 1...5000, using: &random)
            let decoded = Decoded(pieces(of: coded, &random), format.coding, room: room)
            #expect(decoded.error == nil, "round \(round)")
            #expect(decoded.bytes == data, "round \(round)")
        }
    }

    @Test func damagedDataEndsTheSameWayHoweverItIsSplit() {
        var random = SeededGenerator(state: 11)
        for _ in 0..<100 {
            let format = Compressor.Format.allCases.randomElement(using: &random) ?? .gzip
            var coded = Compressor.compress(ContentDecoderTests.text, format)
            for _ in 0..<3 {
                coded[Int.random(in: coded.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let decoded = everyWay(coded) { pieces in
                var decoded = Decoded(pieces, format.coding, maximumSize: 4096)
                #expect(decoded.bytes.count <= 4096)
                // The room decides how much a zstd block outputs before its wrong checksum is found.
                if format == .zstd, decoded.error != nil { decoded.bytes = [] }
                return decoded
            }
            if format != .raw, decoded.error == nil { #expect(decoded.bytes == ContentDecoderTests.text) }
        }
    }

    private func pieces(of bytes: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.append(Array(rest.prefix(Int.random(in: 1...3000, using: &random))))
            rest = rest.dropFirst(pieces.last?.count ?? 0)
        }
        return pieces
    }
}
