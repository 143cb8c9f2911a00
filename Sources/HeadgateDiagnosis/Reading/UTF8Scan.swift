/// Counts the invalid UTF-8 (Unicode 3.9, table 3-7) and the non-ASCII characters in some bytes.
struct UTF8Scan {
    enum Fault: Equatable {
        /// The beginning of a character without its rest.
        case cut
        /// The rest of a character without its beginning, or a byte that occurs in no character.
        case stray
    }

    /// The number of complete characters of two or more bytes.
    private(set) var characters = 0
    private(set) var faults: [Fault] = []

    init(_ bytes: some Collection<UInt8>) {
        var rest = bytes[...]
        while let lead = rest.popFirst() {
            guard lead >= 0x80 else { continue }
            guard let form = UTF8Form(lead) else {
                faults.append(.stray)
                continue
            }
            var missing = form.continuations
            var allowed = form.second
            while missing > 0, let next = rest.first, allowed.contains(next) {
                rest.removeFirst()
                missing -= 1
                allowed = 0x80...0xBF
            }
            if missing > 0 { faults.append(.cut) } else { characters += 1 }
        }
    }

    /// Returns whether the bytes end inside a character, which the next bytes may complete.
    static func endsInsideCharacter(_ bytes: [UInt8]) -> Bool {
        let tail = bytes.suffix(3)
        guard let start = tail.lastIndex(where: { $0 & 0xC0 != 0x80 }), let form = UTF8Form(tail[start]) else {
            return false
        }
        let rest = tail[(start + 1)...]
        guard rest.count < form.continuations else { return false }
        return rest.first.map(form.second.contains) ?? true
    }
}

/// The form of a character, determined by its first byte.
private struct UTF8Form {
    let continuations: Int
    let second: ClosedRange<UInt8>

    init?(_ lead: UInt8) {
        switch lead {
        case 0xC2...0xDF: (continuations, second) = (1, 0x80...0xBF)
        case 0xE0: (continuations, second) = (2, 0xA0...0xBF)
        case 0xED: (continuations, second) = (2, 0x80...0x9F)
        case 0xE1...0xEF: (continuations, second) = (2, 0x80...0xBF)
        case 0xF0: (continuations, second) = (3, 0x90...0xBF)
        case 0xF1...0xF3: (continuations, second) = (3, 0x80...0xBF)
        case 0xF4: (continuations, second) = (3, 0x80...0x8F)
        default: return nil
        }
    }
}
