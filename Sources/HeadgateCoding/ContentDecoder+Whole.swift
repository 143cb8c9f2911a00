package import HeadgateHTTP

extension ContentDecoder {
    private static let pieceSize = 64 * 1024

    /// Decodes a whole body.
    ///
    /// - Parameter limit: The maximum number of bytes of the decoded body.
    package static func decode(
        _ bytes: [UInt8], _ coding: ContentCoding, limit: Int
    ) throws(ContentCodingError) -> [UInt8] {
        guard let decoder = ContentDecoder(coding, maximumSize: limit) else { return bytes }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
        defer { piece.deallocate() }
        var decoded: [UInt8] = []
        var offset = 0
        try bytes.withUnsafeBufferPointer { (input) throws(ContentCodingError) in
            while true {
                let count = try decoder.decode(UnsafeRawBufferPointer(input), &offset, into: piece)
                guard count > 0 else { break }
                decoded += UnsafeRawBufferPointer(rebasing: piece[..<count])
            }
        }
        try decoder.finish()
        return decoded
    }
}
