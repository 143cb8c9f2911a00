/// The reason why a document was rejected, and the offset of the fault.
@usableFromInline
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    @usableFromInline
    package enum Kind: Equatable, Sendable {
        /// The bytes up to the fault are not the beginning of any valid document.
        case syntax
        /// The bytes are the beginning of at least one valid document, which more bytes may complete.
        case endOfInput
        /// Objects and arrays are nested deeper than the cursor's limit.
        case tooDeep
        /// The caller rejects the document because of the number of its members: see ``JSONMemberCount``.
        case tooManyMembers
        /// A number is longer than ``JSONCursor/longestNumber``.
        case longNumber
        /// A string has bytes that are not UTF-8.
        case invalidUTF8
        /// The caller rejects the repetition of this member name; the cursor itself never does.
        case duplicateKey(String)
        /// The caller rejects the first name, because readers that ignore case confuse it with the second one, which
        /// matters.
        case ambiguousKey(String, String)
        /// The caller rejects this member name, because it has half of a surrogate pair, which readers interpret in
        /// different ways.
        case loneSurrogate(String)
        /// The beginning of the value is valid, but the value does not have the requested kind.
        case unexpectedKind
    }

    @usableFromInline package var kind: Kind
    /// The offset in bytes from the start of the document; its length for `endOfInput`.
    @usableFromInline package var offset: Int

    @inlinable
    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// A description in one line. The only part of the document that it quotes is the name of a faulty member.
    @usableFromInline package var description: String {
        switch kind {
        case .syntax: "invalid JSON at byte \(offset)"
        case .endOfInput: "JSON ends too early, at byte \(offset)"
        case .tooDeep: "JSON is nested too deeply at byte \(offset)"
        case .tooManyMembers: "JSON has too many members, at byte \(offset)"
        case .longNumber:
            "JSON number is longer than \(JSONCursor.longestNumber) characters, at byte \(offset)"
        case .invalidUTF8: "JSON string is not UTF-8 at byte \(offset)"
        case .duplicateKey(let name): "JSON member \"\(Self.printable(name))\" is repeated at byte \(offset)"
        case .ambiguousKey(let name, let meant):
            "JSON member \"\(Self.printable(name))\" differs from \"\(Self.printable(meant))\" in case alone, at byte "
                + "\(offset)"
        case .loneSurrogate(let name):
            "JSON member \"\(Self.printable(name))\" has half of a surrogate pair in its name, at byte \(offset)"
        case .unexpectedKind: "JSON value at byte \(offset) is of another type than expected"
        }
    }

    private static func printable(_ name: String) -> String {
        var bytes: [UInt8] = []
        JSONEscaping.append(String(name.prefix(64)), to: &bytes)
        return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}
