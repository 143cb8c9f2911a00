import HeadgateTesting
import JSONBytes
import Testing

/// Limits of documents.
@Suite struct JSONLimitsTests {
    private func place(above limit: Int, in text: String) -> Int? {
        Array(text.utf8).withUnsafeBytes { JSONMemberCount.place(above: limit, in: $0) }
    }

    @Test func membersAreCountedAtEveryDepth() {
        let document = #"{"a":{"b":[{"c":1},{"d":{}}]},"e":2}"#
        #expect(place(above: 5, in: document) == nil)
        #expect(place(above: 4, in: document) == 33)
        #expect(place(above: 1, in: document) == 9)
        #expect(place(above: 0, in: "{}") == nil)
    }

    @Test func byteAfterTheDocumentIsNotRead() {
        let bytes = Array(#"{"a":0}:"#.utf8)
        bytes.withUnsafeBytes { buffer in
            let document = UnsafeRawBufferPointer(rebasing: buffer.dropLast())
            #expect(JSONMemberCount.place(above: 1, in: document) == nil)
        }
    }

    @Test func textInsideAStringIsNotAMember() {
        #expect(place(above: 1, in: #"{"a:b\"c:d":": : \" :"}"#) == nil)
        #expect(place(above: 0, in: #"{"a:b\"c:d":": : \" :"}"#) == 11)
    }

    /// A cursor goes no deeper than 128 levels.
    @Test(arguments: [(128, true), (129, false)]) func membersAreCountedDownToTheDeepestLevel(
        _ depth: Int, _ isCounted: Bool
    ) {
        let document = String(repeating: "[", count: depth - 1) + #"{"a":1,"b":2}"#
        #expect(place(above: 1, in: document) == (isCounted ? depth + 9 : nil))
    }

    @Test func elementsAreNotMembers() {
        let numbers = [String](repeating: "1", count: 5000).joined(separator: ",")
        #expect(place(above: 1, in: #"{"a":[\#(numbers)]}"#) == nil)
    }

    @Test func shortestMembersAreCountedToo() {
        let limit = 1000
        let members = [String](repeating: #""":0"#, count: limit + 1)
        #expect(place(above: limit, in: "{\(members.joined(separator: ","))}") == 1 + limit * 5 + 2)
        #expect(place(above: limit, in: "{\(members.dropLast().joined(separator: ","))}") == nil)
    }

    @Test func brokenTextEndsTheCount() { #expect(place(above: 0, in: #"{"a\q":1,"b":2}"#) == nil) }

    @Test(arguments: ["", "-"]) func numberCanHave1024Characters(_ sign: String) {
        func number(_ count: Int) -> String { sign + String(repeating: "7", count: count - sign.utf8.count) }
        #expect(JSONBytesTests.refusal("[\(number(1024))]") == nil)
        #expect(JSONBytesTests.refusal("[\(number(1025))]") == JSONError(.longNumber, at: 1))
    }

    @Test(arguments: ["0.", "1e", "1E-", "1.5e+"]) func everyPartOfANumberCounts(_ start: String) {
        func number(_ count: Int) -> String { start + String(repeating: "1", count: count - start.utf8.count) }
        #expect(JSONBytesTests.refusal(number(1024)) == nil)
        #expect(JSONBytesTests.refusal(number(1025)) == JSONError(.longNumber, at: 0))
    }

    // MARK: Surrogates

    @Test(arguments: [
        (#"plain"#, false), (#"\ud83d\ude00"#, false), (#"\\ud83d"#, false), (#"\n\u00e9"#, false),
        (#"\ud83d"#, true), (#"\ude00"#, true), (#"\ud83d\ue000"#, true), (#"\ud83dx"#, true), (#"\ud83d\n"#, true),
        (#"\ud83d\ud83d\ude00"#, true), (#"\ud83d\ude00\ude00"#, true), (#"a\uDFFF"#, true),
    ])
    func surrogateHalfIsFound(_ text: String, _ isLone: Bool) throws {
        try Array("\"\(text)\"".utf8).withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            let string = try cursor.string()
            #expect(cursor.hasLoneSurrogate(string) == isLone)
        }
    }

    @Test(arguments: [
        (#""a""#, false), (#""\ud83d""#, true), ("1", false), ("true", false), ("false", false), ("null", false),
        ("[]", false), ("{}", false), (#"["a",1,[{}],"\ude00",null]"#, true), (#"["\ude00","a"]"#, true),
        (#"{"a":{"\ud83d":1},"b":2}"#, true), (#"{"a":"\ud83d","b":[]}"#, true), (#"{"a":["b",{"c":0}]}"#, false),
    ])
    func surrogateHalfIsFoundAtAnyDepth(_ text: String, _ isFound: Bool) throws {
        try Array("[\(text),5]".utf8).withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            try cursor.beginArray()
            #expect(try cursor.nextElement())
            let found = try cursor.nextValueHasLoneSurrogate()
            #expect(found == isFound)
            // The whole value was read.
            #expect(try cursor.nextElement())
            #expect(try cursor.integer() == 5)
        }
    }

    // MARK: Weight

    private func weight(_ text: String) -> Int { Array(text.utf8).withUnsafeBytes { JSONWeight.stops(in: $0) } }

    @Test func weightCountsPiecesWithSomethingToStopAt() {
        #expect(weight(String(repeating: "iVBORw0KGgo+/0=", count: 1000)) == 0)
        for stop in ["\"", "\\", ",", "{", "}", "[", "]", "\n", "é", "\u{7F}\u{80}"] {
            #expect(weight("1234567" + stop + "1234567812345678") >= 1, "\(stop)")
            #expect(weight(String(repeating: stop + "1234567", count: 100)) >= 100, "\(stop)")
        }
        #expect(weight(String(repeating: "1,", count: 8000)) == 2000)
        #expect(weight("") == 0 && weight("1234567") == 0)
    }
}

@Suite struct UTF8RepairTests {
    private func repaired(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { UTF8Sequence.repaired($0) } }

    @Test func everyShortSequenceIsRepairedAsStringsAre() {
        let interesting: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1,
            0xF4,
            0xF5, 0xFF,
        ]
        for first in interesting {
            for second in interesting {
                for third in interesting {
                    for fourth in interesting {
                        let bytes = [first, second, third, fourth]
                        guard repaired(bytes) != Array(String(decoding: bytes, as: UTF8.self).utf8) else { continue }
                        Issue.record("\(bytes) is repaired otherwise")
                    }
                }
            }
        }
    }

    @Test func randomBytesAreRepairedAsStringsAre() {
        var random = SeededGenerator(state: 12)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(repaired(bytes) == Array(String(decoding: bytes, as: UTF8.self).utf8))
        }
    }
}
