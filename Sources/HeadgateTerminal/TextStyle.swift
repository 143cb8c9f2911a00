/// Style of text, as terminals support it since the VT220. Only the basic colors are used, which every palette has.
package struct TextStyle: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let bold = TextStyle(rawValue: 1)
    package static let dim = TextStyle(rawValue: 2)
    package static let italic = TextStyle(rawValue: 4)
    package static let underlined = TextStyle(rawValue: 8)
    package static let struck = TextStyle(rawValue: 16)
    /// Color of code.
    package static let code = TextStyle(rawValue: 32)
    /// Color of error messages.
    package static let alarming = TextStyle(rawValue: 64)
    /// Colors inside code, instead of the code style.
    package static let keyword = TextStyle(rawValue: 128)
    package static let string = TextStyle(rawValue: 256)
    package static let number = TextStyle(rawValue: 512)

    private static let codes: [(TextStyle, String)] = [
        (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underlined, "4"), (.struck, "9"), (.code, "36"), (.alarming, "31"),
        (.keyword, "35"), (.string, "32"), (.number, "33"),
    ]

    /// The escape sequence (SGR) that selects exactly this style.
    package var sequence: String {
        "\u{1B}[0" + TextStyle.codes.filter { contains($0.0) }.map { ";" + $0.1 }.joined() + "m"
    }
}
