internal import HeadgatePrimitives

/// Sequence that puts a text into the clipboard of the terminal's machine (OSC 52).
package enum ClipboardSequence {
    /// Bytes of the encoded text: what xterm takes, and most others.
    private static let limit = 74_994

    /// - Returns: nil for a text that is too long for terminals.
    package static func copying(_ text: String) -> String? {
        let encoded = Base64.encode(Array(text.utf8))
        guard encoded.utf8.count <= limit else { return nil }
        return "\u{1B}]52;c;\(encoded)\u{07}"
    }
}
