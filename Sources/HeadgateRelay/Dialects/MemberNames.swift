internal import JSONBytes

/// Names of members that the gateway reads, and names that a parser which ignores case takes for one of them.
///
/// Go's `encoding/json` does so by default, with Unicode's case folding, in which the Kelvin sign is a `k`. Such a
/// member would bypass the gateway's checks and still take effect at the upstream.
struct MemberNames: Sendable {
    private struct Name: Sendable {
        let text: String
        let folded: [UInt8]
    }

    private let names: [Name]
    /// Bit i: a key of i bytes can be one of them; the last one: of 63 or more. This rules out most keys.
    private let lengths: UInt64
    /// Bit i: an ASCII key whose first byte ends in these five bits, which both cases share, can be one of them.
    private let letters: UInt32

    init(_ names: [String]) {
        self.names = names.map { Name(text: $0, folded: MemberNames.folded($0)) }
        lengths = self.names.reduce(0) { $0 | MemberNames.lengths(of: $1.folded) }
        letters = self.names.reduce(0) { $0 | 1 << UInt32(($1.folded.first ?? 0) & 31) }
    }

    /// - Throws: ``JSONError`` for a key that equals one of the names only without regard to case, and for one with a
    ///   lone surrogate, which parsers read differently.
    @inline(__always)
    func refuseLookalike(_ key: JSONString, in cursor: JSONCursor) throws(JSONError) {
        guard key.hasEscapes || lengths >> UInt64(min(key.contents.count, 63)) & 1 != 0 else { return }
        let first = cursor.bytes(in: key.contents).first ?? 0
        guard key.hasEscapes || first >= 0x80 || letters >> UInt32(first & 31) & 1 != 0 else { return }
        try check(key, in: cursor)
    }

    @inline(never)
    private func check(_ key: JSONString, in cursor: JSONCursor) throws(JSONError) {
        let written = cursor.bytes(in: key.contents)
        var bits: UInt8 = key.hasEscapes ? 0x80 : 0
        for byte in written { bits |= byte }
        if bits < 0x80 {
            // By index: iterating would retain and release each name.
            for index in names.indices where names[index].folded.count == written.count {
                guard !MemberNames.areSame(written, names[index].folded) else {
                    throw lookalike(key, names[index], cursor)
                }
            }
            return
        }
        let text = cursor.decoded(key)
        if cursor.hasLoneSurrogate(key) {
            throw JSONError(.loneSurrogate(MemberNames.shown(text)), at: key.contents.lowerBound)
        }
        let folded = MemberNames.folded(text)
        for name in names where name.folded == folded { throw lookalike(key, name, cursor) }
    }

    private func lookalike(_ key: JSONString, _ name: Name, _ cursor: JSONCursor) -> JSONError {
        JSONError(
            .ambiguousKey(MemberNames.shown(cursor.decoded(key)), name.text), at: key.contents.lowerBound)
    }

    /// Returns the name as printable ASCII for messages, not too long.
    private static func shown(_ name: String) -> String {
        name.unicodeScalars.prefix(64).reduce(into: "") { $0 += $1.escaped(asASCII: true) }
    }

    // MARK: Folding

    /// - Parameter folded: a name as long as the key; one that is not all ASCII never matches.
    private static func areSame(_ key: UnsafeRawBufferPointer, _ folded: [UInt8]) -> Bool {
        for index in folded.indices {
            let byte = key[index]
            guard (byte &- 0x41 < 26 ? byte | 0x20 : byte) == folded[index] else { return false }
        }
        return true
    }

    /// Applies Unicode's simple case folding, also to the Turkish letters that some parsers fold to `i`.
    private static func folded(_ text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar in
            if scalar.value == 0x130 { return [UInt8(ascii: "i")] }
            let upper = single(scalar.properties.uppercaseMapping) ?? scalar
            return Array((single(upper.properties.lowercaseMapping) ?? upper).utf8)
        }
    }

    private static func single(_ mapping: String) -> Unicode.Scalar? {
        mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
    }

    /// Returns the lengths of keys that fold to this name: some letters are longer than their folded form.
    private static func lengths(of folded: [UInt8]) -> UInt64 {
        guard folded.allSatisfy({ $0 < 0x80 }) else { return .max }
        let longer = folded.reduce(0) { sum, letter in
            switch letter {
            case UInt8(ascii: "k"): sum + 2  // U+212A
            case UInt8(ascii: "s"), UInt8(ascii: "i"): sum + 1  // U+017F, U+0130, U+0131
            default: sum
            }
        }
        return (folded.count...folded.count + longer).reduce(0) { $0 | 1 << UInt64(min($1, 63)) }
    }
}
