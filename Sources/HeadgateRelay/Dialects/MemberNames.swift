internal import JSONBytes

/// Names of members that the gateway reads. Detects keys that a parser would take for one of them if it ignores case.
///
/// Go's `encoding/json` ignores case by default, with Unicode's case folding, in which the Kelvin sign is a `k`. A
/// member with such a key would bypass the gateway's checks and still take effect at the upstream.
struct MemberNames: Sendable {
    private struct Name: Sendable {
        let text: String
        let folded: [UInt8]
    }

    private let names: [Name]
    /// Bit i is set if a key of i bytes can be a name; bit 63 also stands for longer keys. Excludes most keys.
    private let lengths: UInt64
    /// Bit i is set if an ASCII key can be one of the names while the lowest five bits of its first byte are i. Both
    /// cases of a letter share these bits.
    private let letters: UInt32

    init(_ names: [String]) {
        self.names = names.map { Name(text: $0, folded: MemberNames.folded($0)) }
        lengths = self.names.reduce(0) { $0 | MemberNames.lengths(of: $1.folded) }
        letters = self.names.reduce(0) { $0 | 1 << UInt32(($1.folded.first ?? 0) & 31) }
    }

    /// Refuses a key that a parser might take for one of the names.
    ///
    /// - Throws: ``JSONError`` for a key that differs from one of the names only in case, and for a key with a lone
    ///   surrogate, which parsers read differently.
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

    /// Returns the beginning of the name as printable ASCII, for messages.
    private static func shown(_ name: String) -> String {
        name.unicodeScalars.prefix(64).reduce(into: "") { $0 += $1.escaped(asASCII: true) }
    }

    // MARK: Folding

    /// Compares an ASCII key with a name, ignoring case.
    ///
    /// - Parameter folded: a name as long as the key. A name that is not ASCII never matches.
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

    /// Returns the lengths of all keys that fold to the name, as bits. Some letters are longer than their folded form.
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
