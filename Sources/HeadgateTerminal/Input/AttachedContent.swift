/// Content of a file attached to a prompt. The bytes determine its kind, because the name is not reliable.
package enum AttachedContent: Equatable, Sendable {
    /// An image with its media type.
    case image(String)
    case pdf
    case text(String)

    private static let signatures: [(String, [UInt8?])] = [
        ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        ("image/jpeg", [0xFF, 0xD8, 0xFF]),
        ("image/gif", Array("GIF87a".utf8)), ("image/gif", Array("GIF89a".utf8)),
        ("image/webp", "RIFF????WEBP".utf8.map { $0 == UInt8(ascii: "?") ? nil : $0 }),
    ]

    /// - Returns: Nil if the content is not a supported image, a PDF, or UTF-8 text.
    package init?(_ bytes: [UInt8]) {
        let known = AttachedContent.signatures.first { _, signature in
            bytes.count >= signature.count && zip(bytes, signature).allSatisfy { $1 == nil || $0 == $1 }
        }
        if let known {
            self = .image(known.0)
        } else if bytes.starts(with: "%PDF-".utf8) {
            self = .pdf
        } else if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) {
            self = .text(text)
        } else {
            return nil
        }
    }

    /// Returns a text with its name, between fences longer than any in the text.
    package static func fenced(_ text: String, name: String) -> String {
        var (longest, run) = (2, 0)
        for character in text.unicodeScalars {
            run = character == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let ending = text.unicodeScalars.last == "\n" ? "" : "\n"
        return "File “\(Neutralised.line(name))”:\n\(fence)\n\(text)\(ending)\(fence)"
    }
}
