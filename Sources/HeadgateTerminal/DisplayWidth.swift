/// Number of columns that a terminal uses for characters. It depends on the previous character, because combining
/// characters use none.
struct DisplayWidth: Sendable {
    /// Character with which the next one can combine.
    private enum Before: Sendable {
        case other
        /// A character that a variation selector turns into an emoji.
        case narrowEmoji
        case emoji
        /// An emoji and a joiner, which combine with the next emoji.
        case joined
        /// The first half of a flag.
        case indicator
    }

    private var before = Before.other

    /// Returns the number of columns of a text.
    static func of(_ text: some Sequence<Unicode.Scalar>) -> Int {
        var width = DisplayWidth()
        return text.reduce(0) { $0 + width.advance($1) }
    }

    /// - Returns: Number of additional columns: 0, 1 or 2.
    mutating func advance(_ scalar: Unicode.Scalar) -> Int {
        // Most characters take this path. Among them, digits and a few others can become keycaps.
        if scalar.value < 0x80 {
            before = scalar.properties.isEmoji ? .narrowEmoji : .other
            return 1
        }
        switch scalar.value {
        case 0xFE0F:
            guard case .narrowEmoji = before else { return 0 }
            before = .emoji
            return 1
        case 0x200D:
            if case .emoji = before { before = .joined }
            return 0
        case 0x1F3FB...0x1F3FF:
            // Skin tone.
            defer { before = .emoji }
            switch before {
            case .emoji: return 0
            case .narrowEmoji: return 1
            default: return 2
            }
        case 0x1F1E6...0x1F1FF:
            if case .indicator = before {
                before = .other
                return 0
            }
            before = .indicator
            return 2
        default: break
        }
        let width = scalar.displayWidth
        guard width > 0 else { return 0 }
        let isEmoji = scalar.properties.isEmoji
        if case .joined = before, isEmoji {
            before = .emoji
            return 0
        }
        before = !isEmoji ? .other : width == 2 ? .emoji : .narrowEmoji
        return width
    }
}

extension Unicode.Scalar {
    /// Number of columns of a single printable character: 0, 1 or 2.
    var displayWidth: Int {
        // Most characters take this path.
        if value < 0x300 { return value == 0xAD ? 0 : 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // Vowels and finals of a decomposed Korean syllable share the columns of its first part.
        if (0x1160...0x11FF).contains(value) { return 0 }
        return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// Ranges of wide East Asian characters (UAX 11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
