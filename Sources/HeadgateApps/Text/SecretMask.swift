/// Hides keys in lines of settings that are printed.
package enum SecretMask {
    private static let mask = "***"
    /// The endings of the names of members that hold a secret.
    private static let names = ["key", "token", "secret", "password"]
    /// The beginnings of well-known kinds of keys.
    private static let beginnings = ["sk-", "gsk_", "hf_", "xai-", "AIza", "hg-"]
    /// The number of bytes of the shortest value that is hidden because of its name or its beginning.
    private static let shortest = 16

    /// Returns the line with its secrets hidden: the key, the values of members named after keys, and texts that look
    /// like a provider's key.
    ///
    /// - Parameters:
    ///   - key: The gateway's key, if it is known.
    ///   - shown: The values to show in a file that exists for keys, in which all others are hidden; nil for other
    ///     files.
    package static func masked(_ line: String, key: String? = nil, showing shown: [String]? = nil) -> String {
        var line = line
        if let key, !key.isEmpty { line = line.replacing(key, with: mask) }
        var result: [UInt8] = []
        var rest = Array(line.utf8)[...]
        while !rest.isEmpty {
            let word = rest.prefix { !isBoundary($0) }
            let isHidden = isSecret(word, after: result) || shown.map { hides(word, after: result, but: $0) } == true
            result += isHidden ? Array(mask.utf8)[...] : word
            rest = rest[word.endIndex...]
            let boundary = rest.prefix(while: isBoundary)
            result += boundary
            rest = rest[boundary.endIndex...]
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isSecret(_ word: ArraySlice<UInt8>, after line: [UInt8]) -> Bool {
        // References such as `${NAME}` and `{file:PATH}` are not secrets.
        guard word.count >= shortest, !"${".utf8.contains(word[word.startIndex]) else { return false }
        return beginnings.contains { word.starts(with: $0.utf8) } || isNamedAfterKey(line)
    }

    /// Returns whether the word is a value that might be any kind of key.
    private static func hides(_ word: ArraySlice<UInt8>, after line: [UInt8], but shown: [String]) -> Bool {
        guard word.count >= 8, name(before: line) != nil else { return false }
        return !shown.contains { word.elementsEqual($0.utf8) }
    }

    /// Returns whether the line so far ends with the name of a secret and `:` or `=`.
    private static func isNamedAfterKey(_ line: [UInt8]) -> Bool {
        guard let name = name(before: line)?.lowercased() else { return false }
        return names.contains { name.hasSuffix($0) }
    }

    /// Returns the name before `:` or `=` at the end of the line so far; nil if there is none.
    private static func name(before line: [UInt8]) -> String? {
        func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            text[...].prefix(upTo: (text.lastIndex { !isBoundary($0) } ?? text.startIndex - 1) + 1)
        }
        let assignment = trimmed(line[...])
        guard let last = assignment.last, ":=".utf8.contains(last) else { return nil }
        return String(decoding: trimmed(assignment.dropLast()), as: UTF8.self)
    }

    private static func isBoundary(_ byte: UInt8) -> Bool { " \t\r\"',".utf8.contains(byte) }
}
