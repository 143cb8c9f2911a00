internal import HeadgatePrimitives

/// The escape sequence that copies a text to the clipboard of the terminal's machine (OSC 52).
package enum ClipboardSequence {
    /// Maximum bytes of the encoded text, which xterm and most other terminals accept.
    private static let limit = 74_994

    /// - Returns: Nil if the text is too long for terminals.
    package static func copying(_ text: String) -> String? {
        let encoded = Base64.encode(Array(text.utf8))
        guard encoded.utf8.count <= limit else { return nil }
        return "\u{1B}]52;c;\(encoded)\u{07}"
    }
}
