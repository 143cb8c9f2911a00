import Foundation
import JSONBytes
import Testing

@Suite struct JSONEditingTests {
    private func applying(_ edits: [JSONEdit], to document: String) -> String {
        let output = Array(document.utf8).withUnsafeBytes { JSONSplice.applying(edits, to: $0) }
        return String(decoding: output, as: UTF8.self)
    }

    @Test func editsReplaceInsertAndRemove() {
        let edits = [
            JSONEdit(0..<0, Array("<".utf8)), JSONEdit(1..<3, Array("XYZ".utf8)), JSONEdit(3..<4, []),
            JSONEdit(6..<6, Array(">".utf8)),
        ]
        #expect(applying(edits, to: "abcdef") == "<aXYZef>")
        #expect(applying([], to: "abc") == "abc")
    }

    @Test func editOutsideTheDocumentOrOutOfOrderIsIgnored() {
        #expect(applying([JSONEdit(2..<9, [0x58])], to: "abc") == "abc")
        #expect(applying([JSONEdit(1..<3, [0x58]), JSONEdit(0..<1, [0x59])], to: "abcd") == "aXd")
    }

    @Test func rangeIsReplacedOnTheWayToTheOutput() {
        func replaced(_ range: Range<Int>) -> String {
            var output = Array("data: ".utf8)
            Array("abcd".utf8).withUnsafeBytes { document in
                Array("XYZ".utf8).withUnsafeBytes {
                    JSONSplice.append(document, replacing: range, with: $0, to: &output)
                }
            }
            return String(decoding: output, as: UTF8.self)
        }
        #expect(replaced(1..<2) == "data: aXYZcd")
        #expect(replaced(0..<4) == "data: XYZ")
        #expect(replaced(2..<5) == "data: abcd")
    }

    @Test func literalOfAStringIncludesItsQuotes() throws {
        let document = Array("[\"ab\"]".utf8)
        try document.withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            try cursor.beginArray()
            _ = try cursor.nextElement()
            let string = try cursor.string()
            #expect(string.contents == 2..<4)
            #expect(string.literal == 1..<5)
        }
    }

    @Test func anyTextIsReadBackFromItsLiteral() throws {
        let text = String(String.UnicodeScalarView((0..<0x300).compactMap { Unicode.Scalar($0) })) + "\u{2028}\u{1F600}"
        var literal: [UInt8] = []
        JSONEscaping.append(text, to: &literal)
        #expect(refusal(literal) == nil)
        #expect(!literal.contains { $0 < 0x20 })
        let read = try JSONSerialization.jsonObject(with: Data(literal), options: .fragmentsAllowed)
        #expect(read as? String == text)
    }

    @Test func bytesThatAreNotTextAreRepaired() {
        func literal(_ bytes: [UInt8]) -> String {
            var output: [UInt8] = []
            bytes.withUnsafeBytes { JSONEscaping.append(bytes: $0, to: &output) }
            return String(decoding: output, as: UTF8.self)
        }
        #expect(literal([0x61, 0xFF, 0x22]) == "\"a\u{FFFD}\\\"\"")
        #expect(literal([0x61, 0x0A, 0x1F]) == "\"a\\n\\u001f\"")
        #expect(literal([]) == "\"\"")
    }

    @Test(arguments: [
        ("{\n  \"a\": 1\n}", "{   \"a\": 1 }"), ("{\"a\":\"b\nc\"}", "{\"a\":\"bc\"}"),
        ("[\"a\\\n\"b\"\n]", "[\"a\\\"b\" ]"),
        ("[\"\\\\\"\n,1]", "[\"\\\\\" ,1]"), ("[1,\r\n2]", "[1,  2]"), ("{\"a\":1}", "{\"a\":1}"), ("", ""),
        ("{\"a\":\"b\n", "{\"a\":\"b"),
    ])
    func lineEndsAreDroppedInStringsAndSpacesElsewhere(_ document: String, _ expected: String) {
        var bytes = Array(document.utf8)
        JSONCompaction.joinLines(&bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func documentCutIntoLinesAnywhereIsOneValidLineAgain() {
        for seed in 1..<101 as Range<UInt64> {
            var document = RandomDocument(seed: seed).bytes
            JSONCompaction.joinLines(&document)
            for cut in document.indices {
                // A line end inside a number or a literal ends the token, so joining the lines cannot restore it.
                guard Self.isCuttable(document, at: cut) else { continue }
                var cutDocument = document
                cutDocument.insert(UInt8(ascii: "\n"), at: cut)
                JSONCompaction.joinLines(&cutDocument)
                #expect(refusal(cutDocument) == nil, "seed \(seed), cut at \(cut)")
                #expect(!cutDocument.contains(UInt8(ascii: "\n")))
            }
        }
    }

    private static func isCuttable(_ document: [UInt8], at cut: Int) -> Bool {
        func isOfToken(_ byte: UInt8) -> Bool {
            Array("0123456789+-.eEtrufalsn".utf8).contains(byte)
        }
        return cut == 0 || !(isOfToken(document[cut - 1]) && isOfToken(document[cut]))
    }
}
