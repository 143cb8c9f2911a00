import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct LineWriterTests {
    private func line(room: Int = 256, _ write: (inout LineWriter) -> Void) -> String {
        var lines: [UInt8] = []
        lines.append(addingCapacity: room) { line in
            line.withUnsafeMutableBufferPointer { buffer, count in
                var writer = LineWriter(buffer)
                write(&writer)
                count = writer.count
            }
        }
        return String(decoding: lines, as: UTF8.self)
    }

    @Test(arguments: [0, 9, 10, -1, -10, 1234, .max, .min]) func numberHasItsDigits(_ number: Int) {
        #expect(line { $0.append(number) } == "\(number)")
    }

    @Test(arguments: [("", "\"\""), ("gpt-4o", "\"gpt-4o\""), ("é😀", "\"é😀\""), ("a\"\\\n\u{1}", #""a\"\\\n\u0001""#)])
    func textIsEscaped(_ text: String, _ expected: String) {
        #expect(line { $0.append(escaped: text) } == expected)
    }

    @Test func terminalSequencesAreEscapedToo() {
        let text = "a\u{7F}\u{9B}\u{202E}\u{2028}\"é"
        #expect(line { $0.append(escaped: text) } == #""a\u007f\u009b\u202e\u2028\"é""#)
    }

    /// No text is longer than computed, whatever its characters.
    @Test func computedRoomSuffices() {
        for text in [
            String(repeating: "\u{1}", count: 300), String(repeating: "\"", count: 300), "", "😀",
            "\u{7F}\u{9B}\u{2028}",
        ] {
            let room = LineWriter.room(for: text)
            #expect(!line(room: room) { $0.append(escaped: text) }.isEmpty)
        }
        #expect(LineWriter.room(for: nil) == 0)
    }
}
