/// A character and how it looks.
struct StyledCharacter: Equatable, Sendable {
    let scalar: Unicode.Scalar
    let style: TextStyle

    init(_ scalar: Unicode.Scalar, _ style: TextStyle) {
        self.scalar = scalar
        self.style = style
    }

    static func all(of text: String, _ style: TextStyle) -> [StyledCharacter] {
        text.unicodeScalars.map { StyledCharacter($0, style) }
    }
}
