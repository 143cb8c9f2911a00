import HeadgateHTTP
import Testing

/// Returns the bytes of a text whose scalars are all below U+0100, so that a literal can contain any byte.
func wire(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8($0.value) }
}

/// Returns the head of a request with the given start line and header lines.
func head(_ startLine: String, _ fields: String...) -> [UInt8] {
    wire(([startLine] + fields).joined(separator: "\r\n") + "\r\n\r\n")
}

/// Returns whether a byte is a `tchar` of RFC 9110 section 5.6.2. The definition is repeated here so that the tests do
/// not rely on the table under test.
func isTokenOctet(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}

/// Reads an input whole, split in two at every offset (a sample of offsets if it is long), and byte by byte.
///
/// - Returns: the result of the whole input. A different result in any other way is an issue.
func everyWay<Transcript: Equatable>(
    _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation, _ read: ([[UInt8]]) -> Transcript
) -> Transcript {
    let whole = read([bytes])
    let stride = max(1, bytes.count * bytes.count / 400_000)
    for cut in 0...bytes.count where cut % stride == 0 || cut < 8 || cut + 24 > bytes.count {
        let parts = read([Array(bytes[..<cut]), Array(bytes[cut...])])
        if parts != whole {
            differ(whole, parts, "cut at \(cut)", sourceLocation)
            break
        }
    }
    let octets = read(bytes.map { [$0] })
    if octets != whole { differ(whole, octets, "octet by octet", sourceLocation) }
    return whole
}

private func differ<Transcript>(_ whole: Transcript, _ other: Transcript, _ way: String, _ location: SourceLocation) {
    Issue.record("\(way): \(other), but whole: \(whole)", sourceLocation: location)
}

/// Calls a closure with a piece in memory of exactly its size, so that a sanitizer detects a read beyond it.
func withExactMemory<Result>(
    _ piece: [UInt8], _ body: (UnsafeRawBufferPointer) throws(HTTPSyntaxError) -> Result
) throws(HTTPSyntaxError) -> Result {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: piece)
    return try body(UnsafeRawBufferPointer(memory))
}
