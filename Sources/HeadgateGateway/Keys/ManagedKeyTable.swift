internal import HeadgateRelay

/// All managed keys by their digests, as far as they are needed to let requests in: about 600 octets for each.
///
/// Changed while the gateway runs. Looking up, and changing one key, takes the same time however many there are.
package struct ManagedKeyTable: Sendable {
    /// What is the same for all digests of a key.
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
        /// Seconds since 1970; the greatest number for a key that was not rotated away.
        let end: Int64
        /// As the configuration of that number has it.
        var compiled: (number: Int, key: ClientKey?)?
    }

    private var entries: [KeyDigest: Entry] = [:]
    private var digests: [String: [KeyDigest]] = [:]
    /// Most keys share a few settings.
    private var settings: Set<String> = []

    package init() {}

    package init(_ keys: [ManagedKey]) {
        entries.reserveCapacity(keys.count)
        digests.reserveCapacity(keys.count)
        for key in keys { insert(key) }
    }

    /// How many keys there are.
    package var count: Int { digests.count }

    subscript(digest: KeyDigest) -> Entry? { entries[digest] }

    func subject(_ name: String) -> Subject? { digests[name]?.first.flatMap { entries[$0]?.subject } }

    func contains(_ name: String) -> Bool { digests[name] != nil }

    mutating func keep(_ key: ClientKey?, for number: Int, at digest: KeyDigest) {
        entries[digest]?.compiled = (number, key)
    }

    /// The latest state of a key; nil for one that is gone.
    mutating func change(_ name: String, to key: ManagedKey?) {
        for digest in digests.removeValue(forKey: name) ?? [] { entries[digest] = nil }
        if let key { insert(key) }
    }

    private mutating func insert(_ key: ManagedKey) {
        let subject = Subject(key, settings: settings.insert(key.settings).memberAfterInsert)
        // One that is current has its digest, whoever had it before.
        for former in key.former where entries[former.digest] == nil {
            entries[former.digest] = Entry(subject: subject, end: former.end)
        }
        entries[key.digest] = Entry(subject: subject, end: .max)
        digests[key.name] = [key.digest] + key.former.map(\.digest)
    }
}
