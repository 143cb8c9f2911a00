/// Unique names that consist of letters, digits, `_` and `-`.
struct RestrictedNames {
    /// Replacement for names without any allowed character.
    private let substitute: String
    private let maximumLength: Int
    private var taken: Set<String> = []
    /// Number of times that each name was requested, so that the next suffix is found at once.
    private var counts: [String: Int] = [:]

    init(substitute: String, maximumLength: Int) {
        self.substitute = substitute
        self.maximumLength = maximumLength
    }

    /// Returns an unused name, which is `name` itself if possible.
    mutating func next(for name: String) -> String {
        let allowed = name.utf8.prefix(maximumLength).map { RestrictedNames.isAllowed($0) ? $0 : UInt8(ascii: "_") }
        let plain = allowed.isEmpty ? substitute : String(decoding: allowed, as: UTF8.self)
        var candidate = plain
        var count = counts[plain] ?? 1
        if count > 1 { candidate = suffixed(plain, count) }
        while !taken.insert(candidate).inserted {
            count += 1
            candidate = suffixed(plain, count)
        }
        counts[plain] = count
        return candidate
    }

    private func suffixed(_ name: String, _ count: Int) -> String {
        let suffix = "_\(count)"
        return String(name.prefix(maximumLength - suffix.utf8.count)) + suffix
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
