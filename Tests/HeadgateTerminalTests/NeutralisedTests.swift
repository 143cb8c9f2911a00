import Testing

@testable import HeadgateTerminal

@Suite struct NeutralisedTests {
    @Test func noTextControlsTheTerminal() {
        for value in UInt32(0)..<0x300 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for shown in Neutralised.text(String(scalar)).unicodeScalars {
                #expect(shown.value >= 0x20 && !(0x7F..<0xA0).contains(shown.value) || shown == "\n" || shown == "\t")
            }
            let line = Neutralised.line(String(scalar)).unicodeScalars
            #expect(line.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
        }
    }

    @Test func textStaysAsItIs() {
        let text = "wörld 🌍 日本\n\tשלום"
        #expect(Neutralised.text(text) == text)
    }

    @Test func noCharacterReordersTextOrBreaksLines() {
        let hidden: [ClosedRange<UInt32>] = [0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069]
        for value in hidden.joined() {
            let text = "a\(Unicode.Scalar(value).map(String.init) ?? "")b"
            #expect(Neutralised.text(text) == "a\u{FFFD}b", "\(String(value, radix: 16))")
            #expect(Neutralised.line(text) == "a\u{FFFD}b", "\(String(value, radix: 16))")
        }
    }

    @Test(arguments: ["👩‍💻 and 👨‍👩‍👧‍👦", "می‌خواهم", "עברית", "e\u{301}", "a\tb\nc"])
    func charactersOfWritingPass(_ text: String) {
        #expect(Neutralised.text(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    }
}
