/// Why a document was refused, and at which byte.
@usableFromInline
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    @usableFromInline
    package enum Kind: Equatable, Sendable {
        /// No continuation of the bytes up to the fault makes a document.
        case syntax
        /// The bytes so far begin at least one valid document: more may make it whole.
        case endOfInput
        /// Objects and arrays are nested deeper than the cursor's cap.
        case tooDeep
        /// The caller refuses the document for the number of its members: see ``JSONMemberCount``.
        case tooManyMembers
        /// A number is longer than ``JSONCursor/longestNumber``.
        case longNumber
        /// A string holds bytes that are not UTF-8.
        case invalidUTF8
        /// The caller refuses the repetition of this member name; the cursor itself never does.
        case duplicateKey(String)
        /// The caller refuses this member name, which a reader that ignores case takes for the other, one that matters.
        case ambiguousKey(String, String)
        /// The caller refuses this member name: it contains half of a surrogate pair, which every reader interprets
        /// differently.
        case loneSurrogate(String)
        /// The value is well begun but not of the kind that was asked for.
        case unexpectedKind
    }

    @usableFromInline package var kind: Kind
    /// Bytes from the start of the document; its length for `endOfInput`.
    @usableFromInline package var offset: Int

    @inlinable
    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// One line that quotes nothing of the document but a member name that is at fault.
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
