/// Brings a document that a stream cut into lines back onto one line.
package enum JSONCompaction {
    /// Drops each line end inside a string, which can only come from splitting, and replaces every other one by a
    /// space, since it can separate two tokens. Applies to LF and CR; a document without them is only read.
    ///
    /// `document` starts at the start of a value but can be incomplete: more can be appended and the call repeated.
    package static func joinLines(_ document: inout [UInt8]) {
        guard document.contains(where: isLineEnd) else { return }
        var isInString = false
        var isEscaped = false
        var written = 0
        for index in document.indices {
            var byte = document[index]
            if isLineEnd(byte) {
                if isInString { continue }
                byte = UInt8(ascii: " ")
            } else if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isInString
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            }
            document[written] = byte
            written += 1
        }
        document.removeSubrange(written...)
    }

    @inline(__always)
    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
