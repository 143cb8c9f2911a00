/// Name that a caller sent, escaped for messages, pages and terminals.
package enum ShownName {
    /// Maximum characters of the name.
    private static let limit = 64

    /// Escapes control characters, direction marks and line ends as `\u{...}`, and quotes with a backslash.
    package static func text(_ name: String) -> String {
        var shown = String.UnicodeScalarView()
        for (index, scalar) in name.unicodeScalars.enumerated() {
            guard index < limit else {
                shown.append(contentsOf: "...".unicodeScalars)
                break
            }
            switch scalar {
            case "'", "\"", "`", "\\":
                shown.append("\\")
                shown.append(scalar)
            case _ where isInvisible(scalar):
                shown.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
