/// Names of tools as chat completions take them: up to 64 letters, digits, `_` and `-`.
struct ChatToolNames {
    /// The names that were changed, by what they were changed to.
    private(set) var changed: [String: String] = [:]
    private var written: [String: String] = [:]
    private var taken: Set<String> = []

    private static let longest = 64

    mutating func add(_ name: String) { _ = self[name] }

    /// The name as the upstream is told it: always the same one for the same name, and never one for two.
    subscript(name: String) -> String {
        mutating get {
            if let known = written[name] { return known }
            let short = unique(Self.allowed(name))
            written[name] = short
            taken.insert(short)
            if short != name { changed[short] = name }
            return short
        }
    }

    private func unique(_ name: String) -> String {
        var candidate = name
        var number = 2
        while taken.contains(candidate) {
            let suffix = "_\(number)"
            candidate = name.prefix(Self.longest - suffix.utf8.count) + suffix
            number += 1
        }
        return candidate
    }

    private static func allowed(_ name: String) -> String {
        let characters = name.unicodeScalars.prefix(longest).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                || scalar == "_" || scalar == "-" ? Character(scalar) : "_"
        }
        return characters.isEmpty ? "_" : String(characters)
    }
}
