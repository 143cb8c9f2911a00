import Foundation
import JSONBytes
import Testing

@Suite struct JSONGrammarTests {
    /// Inputs on which Foundation is as strict as RFC 8259, so that it can judge them. There are no trailing commas,
    /// which it accepts.
    private static let judged = [
        "{}", "[]", " [ ] ", "[1,2]", "[,1]", "[1 2]", "[1,,2]", "{\"a\":1}", "{\"a\" 1}",
        "{a:1}",
        "{'a':1}", "{\"a\":}", "{1:2}", "[01]", "[-01]", "[+1]", "[.5]", "[1.]", "[1.e3]", "[1e]", "[1e+]", "[-]",
        "[--1]",
        "[0]", "[-0]", "[0.0]", "[1E5]", "[1e-5]", "[NaN]", "[Infinity]", "[0x10]", "[1_0]", "[true]", "[True]",
        "[tru]",
        "[truee]", "[null]", "[nul]", "[\"a\"]", "[\"a]", "[\"\\x\"]", "[\"\\u12\"]", "[\"\\u12G4\"]", "[\"\\u0041\"]",
        "[\"\\\"]", "[\"\\\\\"]", "[\"a\nb\"]", "[\"a\tb\"]", "[\"\u{0}\"]", "[\"\u{7F}\"]", "[\"\u{2028}\"]",
        "[\"é\"]",
        "[1]]", "[1}", "{\"a\":1]", "{}{}", "[] x", "[1]//c", "[/*c*/1]", "[\u{A0}1]", "[\u{B}1]",
        "{\"a\":[{\"b\":[]}]}",
        "\"a\"", "1", "true", "null",
    ]

    @Test(arguments: judged)
    func acceptanceAgreesWithFoundation(_ document: String) {
        let judge = try? JSONSerialization.jsonObject(with: Data(document.utf8), options: .fragmentsAllowed)
        #expect((refusal(document) == nil) == (judge != nil))
    }

    @Test(arguments: [
        "", " ", "{", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "[", "[1", "[1,", "\"\\", "\"\\u",
        "\"\\u00",
        "-", "1.", "1e", "1e-", "t", "nul", "fals", "[[[", "[{\"a\":[\"b",
    ])
    func prefixOfADocumentEndsTooEarly(_ document: String) {
        #expect(refusal(document) == JSONError(.endOfInput, at: document.utf8.count))
    }

    @Test(arguments: [
        ("}", 0), ("{,", 1), ("{]", 1), ("[}", 1), ("{\"a\",", 4), ("{\"a\":,", 5), ("[1}", 2), ("01", 1), ("-a", 1),
        ("1.e", 2),
        ("1e+-", 3), ("nuL", 2), ("\"\\q", 2), ("\"\\u00g", 5), ("\"\u{1}", 1), ("1 1", 2), ("[1,]", 3),
        ("{\"a\":1,}", 7),
        ("\u{FEFF}{}", 0),
    ])
    func faultIsNamedByItsByte(_ document: String, _ offset: Int) {
        #expect(refusal(document) == JSONError(.syntax, at: offset))
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF], [0xC3, 0x22], [0xE2, 0x82, 0x22], [0xF0, 0x9F, 0x98, 0x22],
        ] as [[UInt8]])
    func stringThatIsNotUTF8IsRefused(_ bytes: [UInt8]) {
        #expect(refusal(Array("\"abc".utf8) + bytes + Array("\"".utf8)) == JSONError(.invalidUTF8, at: 4))
        #expect(
            refusal(Array("\"abcdefghijklmnop".utf8) + bytes) == JSONError(.invalidUTF8, at: 17) || bytes.last == 0x22)
    }

    @Test(arguments: [[0xC3], [0xE2], [0xE2, 0x82], [0xED, 0x9F], [0xF0, 0x9F], [0xF4, 0x8F, 0xBF]] as [[UInt8]])
    func characterCutAtTheEndCanStillBeCompleted(_ bytes: [UInt8]) {
        #expect(refusal(Array("\"".utf8) + bytes) == JSONError(.endOfInput, at: bytes.count + 1))
    }

    @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
    func nestingIsCapped(_ opening: String, _ closing: String) {
        func nested(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
        }
        #expect(refusal(nested(128)) == nil)
        #expect(refusal(nested(129)) == JSONError(.tooDeep, at: 128 * opening.utf8.count))
        #expect(refusal(nested(3), maximumDepth: 3) == nil)
        #expect(refusal(nested(4), maximumDepth: 3)?.kind == .tooDeep)
        #expect(refusal(nested(200), maximumDepth: 1_000)?.kind == .tooDeep)
        #expect(refusal(String(repeating: opening, count: 100_000))?.kind == .tooDeep)
    }

    @Test func emptyContainersCountAsDepth() {
        #expect(refusal("[[]]", maximumDepth: 1)?.kind == .tooDeep)
        #expect(refusal("[{}]", maximumDepth: 2) == nil)
    }
}
