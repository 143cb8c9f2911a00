import Testing

@testable import HeadgateDiagnosis

struct UTF8ScanTests {
    @Test(arguments: ["ö", "世", "🌍", "\u{10FFFF}"])
    func everyBeginningOfACharacterIsKnownAsOne(character: String) {
        let bytes = Array("a\(character)".utf8)
        for count in 0...bytes.count {
            let isInside = count > 1 && count < bytes.count
            #expect(UTF8Scan.endsInsideCharacter(Array(bytes.prefix(count))) == isInside)
        }
        #expect(UTF8Scan(bytes).characters == 1)
        #expect(UTF8Scan(bytes).faults.isEmpty)
        #expect(UTF8Scan(bytes.dropLast()).faults == [.cut])
    }

    @Test(
        arguments: [[0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE0, 0x80, 0x80]] as [[UInt8]]
    )
    func bytesOfNoCharacterAreAFault(bytes: [UInt8]) {
        let scan = UTF8Scan(bytes)
        #expect(scan.characters == 0)
        #expect(!scan.faults.isEmpty)
    }

    @Test func wrongContinuationEndsTheCharacterBeforeIt() {
        // The second byte would form a surrogate, so no third byte can complete the character.
        #expect(!UTF8Scan.endsInsideCharacter([0xED, 0xA0]))
        #expect(UTF8Scan([0xE4, 0xB8, 0x41]).faults == [.cut])
    }
}
