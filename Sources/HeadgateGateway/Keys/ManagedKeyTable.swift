internal import HeadgateRelay

/// Table of all managed keys by their digests, with the data that admission needs: about 600 bytes for each key.
///
/// The table changes while the gateway runs. The time to look up or change a key does not depend on their number.
package struct ManagedKeyTable: Sendable {
    /// Data that all digests of a key share.
    final class Subject: Sendable {
        let name: String
        let identity: KeyDigest
        let settings: String

        init(_ key: ManagedKey, settings: String) {
            (name, identity, self.settings) = (key.name, key.identity, settings)
        }
    }

    struct Entry: Sendable {
        let subject: Subject
        /// End of the digest in seconds since 1970; the maximum value for a current digest.
        let end: Int64
        /// Key as compiled for the configuration with this number.
        var compiled: (number: Int, key: ClientKey?)?
    }

    private var entries: [KeyDigest: Entry] = [:]
    private var digests: [String: [KeyDigest]] = [:]
    /// Distinct settings: keys with equal settings share one string.
    private var settings: Set<String> = []

    package init() {}

    package init(_ keys: [ManagedKey]) {
        entries.reserveCapacity(keys.count)
        digests.reserveCapacity(keys.count)
        for key in keys { insert(key) }
    }

    /// Number of keys.
    package var count: Int { digests.count }

    subscript(digest: KeyDigest) -> Entry? { entries[digest] }

    func subject(_ name: String) -> Subject? { digests[name]?.first.flatMap { entries[$0]?.subject } }

    /// Returns the limits of a key that has made requests; none for any other.
    func limits(of name: String) -> [LimitRules] {
        digests[name]?.first.flatMap { entries[$0]?.compiled?.key?.limits } ?? []
    }

    func contains(_ name: String) -> Bool { digests[name] != nil }

    mutating func keep(_ key: ClientKey?, for number: Int, at digest: KeyDigest) {
        entries[digest]?.compiled = (number, key)
    }

    /// Applies the latest state of a key; nil removes it.
    mutating func change(_ name: String, to key: ManagedKey?) {
        // A former digest of this key can be the current one of another.
        for digest in digests.removeValue(forKey: name) ?? [] where entries[digest]?.subject.name == name {
            entries[digest] = nil
        }
        if let key { insert(key) }
    }

    private mutating func insert(_ key: ManagedKey) {
        let subject = Subject(key, settings: settings.insert(key.settings).memberAfterInsert)
        // An entry that already exists takes precedence over a former digest.
        for former in key.former where entries[former.digest] == nil {
            entries[former.digest] = Entry(subject: subject, end: former.end)
        }
        entries[key.digest] = Entry(subject: subject, end: .max)
        digests[key.name] = [key.digest] + key.former.map(\.digest)
    }
}
