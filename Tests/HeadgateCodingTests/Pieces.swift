import Testing

/// Reads an input whole, split in two at many offsets, and byte by byte. The result must always be the same.
func everyWay<Transcript: Equatable>(_ bytes: [UInt8], _ read: ([[UInt8]]) -> Transcript) -> Transcript {
    let whole = read([bytes])
    for cut in stride(from: 0, through: bytes.count, by: max(1, bytes.count * bytes.count / 400_000)) {
        #expect(read([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "cut at \(cut)")
    }
    #expect(read(bytes.map { [$0] }) == whole, "octet by octet")
    return whole
}

func wire(_ text: String) -> [UInt8] { Array(text.utf8) }
