/// Joins the lines of a document that a stream has split into lines.
package enum JSONCompaction {
    /// Removes each line end inside a string, which can only come from the split. Replaces every other one by a space,
    /// because it can separate two tokens. LF and CR are line ends; a document without them is only read.
    ///
    /// `document` begins at the start of a value but can be incomplete: more can be appended and the call repeated.
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
