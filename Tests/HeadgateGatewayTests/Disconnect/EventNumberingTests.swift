import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Ids of events, independent of how the stream is split.
@Suite struct EventNumberingTests {
    private static let stream = "data: a\n\nevent: b\ndata: {\"x\":1}\n\ndata: [DONE]\n\n"
    private static let numbered = [
        "id: 1\ndata: a\n\n", "id: 2\nevent: b\ndata: {\"x\":1}\n\n", "id: 3\ndata: [DONE]\n\n",
    ]

    private func numbered(_ pieces: [ArraySlice<UInt8>]) -> [String] {
        var numbering = EventNumbering()
        return pieces.flatMap { piece in Array(piece).withUnsafeBytes { numbering.take($0) } }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func idIsTheSameAtEverySplit() {
        let bytes = Array(Self.stream.utf8)
        for first in bytes.indices {
            for second in first..<bytes.count {
                #expect(numbered([bytes[..<first], bytes[first..<second], bytes[second...]]) == Self.numbered)
            }
        }
    }

    @Test func unfinishedEventWaits() {
        var numbering = EventNumbering()
        #expect(Array("data: a\n".utf8).withUnsafeBytes { numbering.take($0) }.isEmpty && numbering.last == 0)
        #expect(Array("\n".utf8).withUnsafeBytes { numbering.take($0) }.count == 1 && numbering.last == 1)
    }

    @Test func lastEventReplacesAPartialOne() {
        var numbering = EventNumbering()
        _ = Array("data: a\n\ndata: b\n\ndata: c".utf8).withUnsafeBytes { numbering.take($0) }
        #expect(numbering.pending == 7)
        numbering.takeBack(1)
        #expect(numbering.end(with: Array("data: e\n\n".utf8)) == Array("id: 2\ndata: e\n\n".utf8))
        #expect(numbering.takeRest() == nil)
    }
}
