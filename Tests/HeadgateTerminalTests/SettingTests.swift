import HeadgateTerminal
import Testing

@Suite struct SettingTests {
    @Test(
        arguments: [
            ("", .list), ("temperature", .show(.temperature)), ("temperature 0.5", .set(.temperature, .number(0.5))),
            ("Temperature=0", .set(.temperature, .number(0))), ("top-p = 1", .set(.topP, .number(1))),
            ("max_tokens 12", .set(.maximumTokens, .integer(12))), ("seed -3", .set(.seed, .integer(-3))),
            ("stop END", .set(.stop, .texts(["END"]))),
            (#"stop "a b" '\n' \n"#, .set(.stop, .texts(["a b", "\\n", "\n"]))),
            ("system \"Be brief.\"", .set(.system, .text("Be brief."))), ("seed=", .show(.seed)),
            ("temperature 2.1", .invalid(.temperature)), ("temperature nan", .invalid(.temperature)),
            ("temperature hot", .invalid(.temperature)), ("top_p 0", .invalid(.topP)),
            ("max_tokens 0", .invalid(.maximumTokens)),
            ("max_tokens 1.5", .invalid(.maximumTokens)), ("seed 99999999999999999999", .invalid(.seed)),
            ("stop 1 2 3 4 5", .invalid(.stop)), ("stop \"\"", .invalid(.stop)), ("system \"\"", .invalid(.system)),
            ("temprature 1", .unknown("temprature")), ("= 1", .unknown("= 1")),
        ] as [(String, SettingCommand)])
    func commandsAreParsed(_ argument: String, _ command: SettingCommand) {
        #expect(SettingCommand(argument) == command)
    }

    @Test(
        arguments: [
            ("", []), (" a  b ", ["a", "b"]), (#"'a b' "c d"e"#, ["a b", "c de"]), (#"a\ b \n"#, ["a b", "n"]),
            (#""a\"b" 'c\'"#, ["a\"b", "c\\"]), ("\"\"", [""]), ("'open end", ["open end"]), (#"a\"#, ["a\\"]),
            (#"\"#, ["\\"]),
        ] as [(String, [String])])
    func quotesKeepWordsTogether(_ text: String, _ words: [String]) {
        #expect(QuotedWords.split(text) == words)
    }

    @Test(arguments: [
        ("a", "a"), ("\"a b\"", "a b"), ("'a'", "a"), ("“a”", "a"), ("\"a\" and \"b\"", "\"a\" and \"b\""),
        ("\"", "\""),
        ("\"\"", ""), ("\"a'", "\"a'"), ("it's", "it's"),
    ]) func quotesAroundAValueAreRemoved(_ text: String, _ unquoted: String) {
        #expect(QuotedWords.unquoted(text) == unquoted)
    }
}

@Suite struct AttachedContentTests {
    @Test(
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], .image("image/png")),
            ([0xFF, 0xD8, 0xFF, 0xE0], .image("image/jpeg")),
            (Array("GIF89a".utf8), .image("image/gif")),
            (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8".utf8), .image("image/webp")),
            (Array("RIFF\u{1}\u{2}\u{3}\u{4}WAVE".utf8), .text("RIFF\u{1}\u{2}\u{3}\u{4}WAVE")),
            (Array("%PDF-1.7\n".utf8) + [0xFF, 0], .pdf), (Array("%PDF".utf8), .text("%PDF")),
            (Array("wörld".utf8), .text("wörld")),
            ([0x61, 0], nil), ([0xC3], nil), ([0xFF, 0xFE, 0x61], nil), ([0x89, 0x50], nil),
        ] as [([UInt8], AttachedContent?)])
    func isDetectedByItsBytes(_ bytes: [UInt8], _ content: AttachedContent?) {
        #expect(AttachedContent(bytes) == content)
    }

    @Test func textCannotLeaveItsFences() {
        #expect(AttachedContent.fenced("a\n", name: "x\u{1B}\ny") == "File “x␛ y”:\n```\na\n```")
        #expect(AttachedContent.fenced("````", name: "x") == "File “x”:\n`````\n````\n`````")
    }
}
