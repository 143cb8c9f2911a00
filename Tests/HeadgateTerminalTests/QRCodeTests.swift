import HeadgateTerminal
import Testing

/// QR codes: their sizes and fixed patterns. `Tests/SDK/test_open_phone.py` reads some with a decoder.
@Suite struct QRCodeTests {
    @Test(arguments: [
        (1, 21), (17, 21), (18, 25), (78, 33), (79, 37), (230, 53), (231, 57), (271, 57), (272, 61), (520, 77),
    ])
    func smallestVersionIsChosen(_ length: Int, _ size: Int) {
        #expect(QRCode(String(repeating: "a", count: length))?.size == size)
    }

    @Test func longTextHasNone() { #expect(QRCode(String(repeating: "a", count: 521)) == nil) }

    @Test func cornersHaveTheirPatternsAndTheMarginIsLight() throws {
        let code = try #require(QRCode("http://192.168.1.20:8687/#pair=AAAAAAAAAAAAAAAAAAAAAA"))
        for (x, y) in [(0, 0), (code.size - 7, 0), (0, code.size - 7)] {
            for step in 0..<7 {
                #expect(code.isDark(x + step, y) && code.isDark(x, y + step))
                #expect(code.isDark(x + 1, y + step) == (step == 0 || step == 6))
            }
        }
        #expect(!code.isDark(-1, 0) && !code.isDark(0, code.size))
        #expect(code.lines.count == (code.size + 9) / 2 && code.lines.allSatisfy { $0.count == code.size + 8 })
        #expect(code.lines[0].allSatisfy { $0 == " " })
    }
}
