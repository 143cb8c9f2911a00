import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct StreamOpeningTests {
    private func inspect(_ opening: inout StreamOpening, _ text: String) -> StreamOpening.Kind {
        Array(text.utf8).withUnsafeBytes { opening.inspect($0) }
    }

    private func name(_ kind: StreamOpening.Kind) -> String {
        switch kind {
        case .undecided: "undecided"
        case .stream(let early): "stream(\(early.count))"
        case .document: "document"
        case .oversizeDocument: "oversize"
        case .foreign: "foreign"
        }
    }

    private func kinds(_ chunks: String...) -> [String] {
        var opening = StreamOpening()
        return chunks.map { name(inspect(&opening, $0)) }
    }

    @Test(arguments: ["data: x", ":", "event: a", "id: 1", "retry: 1", "\u{FEFF}data:", "\n\ndata:", " \t\r\n: c"])
    func fieldOrCommentIsAStream(_ text: String) {
        #expect(kinds(text, "anything") == ["stream(0)", "stream(0)"])
    }

    @Test func bytesBeforeTheDecisionAreReturnedOnce() {
        #expect(kinds("da", "ta", ": x") == ["undecided", "stream(4)", "stream(0)"])
        #expect(kinds("\n", ": x") == ["undecided", "stream(4)"])
    }

    @Test func byteOrderMarkCanArriveInPieces() {
        var opening = StreamOpening()
        for byte in [UInt8(0xEF), 0xBB, 0xBF] {
            let kind = [byte].withUnsafeBytes { opening.inspect($0) }
            #expect(name(kind) == "undecided")
        }
        #expect(name(inspect(&opening, "data")) == "stream(7)")
    }

    @Test func documentIsCollectedWithoutItsLeadingBytes() {
        var opening = StreamOpening()
        #expect(name(inspect(&opening, "\u{FEFF} \n{\"a\"")) == "document")
        #expect(opening.document == Array("{\"a\"".utf8))
        #expect(name(inspect(&opening, ":1}")) == "document")
        #expect(opening.document == Array("{\"a\":1}".utf8))
    }

    @Test func documentCanHave64KiB() {
        let rest = String(repeating: "x", count: 64 * 1024 - 1)
        #expect(kinds("{", rest, "y") == ["document", "document", "oversize"])
        #expect(kinds("{\(rest)y") == ["oversize"])
    }

    @Test(arguments: ["<html>", "HTTP/1.1 502", "dato", "\u{0}", "\u{FEFF}<"]) func anythingElseIsForeign(
        _ text: String
    ) {
        #expect(kinds(text, "data: x") == ["foreign", "foreign"])
    }

    @Test func whiteSpaceIsRefusedAfter64KiB() {
        let space = String(repeating: "\n", count: 64 * 1024)
        #expect(kinds(space, "\n") == ["undecided", "foreign"])
    }
}
