internal import HeadgateGateway
internal import HeadgateRelay

extension SQLiteDatabase {
    /// Adds a key.
    ///
    /// - Returns: false if a key with that name exists, or a key has or had that digest.
    func insert(_ key: ManagedKey) throws(StoreError) -> Bool {
        guard try managedKey(key.name) == nil, try number(ofKeysWith: key.digest) == 0 else { return false }
        try statement("INSERT INTO keys VALUES (?,?,?,?,?)").run(
            .text(key.name), .octets(key.digest.bytes), .octets(key.identity.bytes), .text(key.settings),
            .integer(key.created))
        try replaceFormer(of: key)
        return true
    }

    private func number(ofKeysWith digest: KeyDigest) throws(StoreError) -> Int64 {
        var count: Int64 = 0
        try statement(
            "SELECT (SELECT count(*) FROM keys WHERE digest = ?1) + (SELECT count(*) FROM former WHERE digest = ?1)"
        ).rows(.octets(digest.bytes)) { count = $0.integer(0) }
        return count
    }

    /// - Returns: nil if there is no such key.
    func rotateKey(
        _ name: String, to digest: KeyDigest, until end: Int64, at now: Int64
    ) throws(StoreError) -> ManagedKey? {
        guard let key = try managedKey(name)?.rotated(to: digest, until: end, at: now) else { return nil }
        try replaceFormer(of: key)
        // The key is updated last, since recording this change announces all of them.
        try statement("UPDATE keys SET digest = ? WHERE name = ?").run(.octets(digest.bytes), .text(name))
        return key
    }

    private func replaceFormer(of key: ManagedKey) throws(StoreError) {
        try statement("DELETE FROM former WHERE name = ?").run(.text(key.name))
        for former in key.former {
            try statement("INSERT OR REPLACE INTO former VALUES (?,?,?)").run(
                .text(key.name), .octets(former.digest.bytes), .integer(former.end))
        }
    }

    /// - Returns: whether the key existed.
    func revokeKey(_ name: String) throws(StoreError) -> Bool {
        try statement("DELETE FROM keys WHERE name = ?").run(.text(name))
        return changes > 0
    }

    func managedKey(_ name: String) throws(StoreError) -> ManagedKey? {
        var key: ManagedKey?
        try statement("SELECT name, digest, identity, settings, created FROM keys WHERE name = ?").rows(.text(name)) {
            key = $0.managedKey
        }
        guard var key else { return nil }
        try statement("SELECT digest, ends FROM former WHERE name = ? ORDER BY ends, digest").rows(.text(name)) { row in
            if let digest = KeyDigest(bytes: row.octets(0)) {
                key.former.append(ManagedKey.Former(digest, until: row.integer(1)))
            }
        }
        return key
    }

    /// Returns keys in the order of their names' bytes.
    func managedKeys(after name: String = "", limit: Int = .max) throws(StoreError) -> [ManagedKey] {
        var keys: [ManagedKey] = []
        try statement(
            "SELECT name, digest, identity, settings, created FROM keys WHERE name > ? ORDER BY name LIMIT ?"
        ).rows(.text(name), .integer(Int64(limit))) { row in
            if let key = row.managedKey { keys.append(key) }
        }
        guard let last = keys.last?.name else { return [] }
        var former: [String: [ManagedKey.Former]] = [:]
        try statement("SELECT name, digest, ends FROM former WHERE name > ? AND name <= ? ORDER BY ends, digest").rows(
            .text(name), .text(last)
        ) { row in
            guard let digest = KeyDigest(bytes: row.octets(1)) else { return }
            former[row.text(0), default: []].append(ManagedKey.Former(digest, until: row.integer(2)))
        }
        if former.isEmpty { return keys }
        for index in keys.indices { keys[index].former = former[keys[index].name] ?? [] }
        return keys
    }

    /// Returns the settings of recently revoked keys in groups, by name.
    func revokedSettings() throws(StoreError) -> [String: String] {
        var settings: [String: String] = [:]
        try statement("SELECT name, settings FROM revoked").rows { settings[$0.text(0)] = $0.text(1) }
        return settings
    }

    func revokedKeys() throws(StoreError) -> [RevokedKey] {
        var keys: [RevokedKey] = []
        try statement("SELECT name, settings, at FROM revoked ORDER BY name").rows { row in
            keys.append(RevokedKey(name: row.text(0), settings: row.text(1), revokedAt: row.integer(2)))
        }
        return keys
    }

    /// - Returns: false if the same key was revoked there at that time or later.
    func insertRevoked(_ key: RevokedKey) throws(StoreError) -> Bool {
        try statement(
            """
            INSERT INTO revoked VALUES (?,?,?) ON CONFLICT (name)
                DO UPDATE SET settings = excluded.settings, at = excluded.at WHERE excluded.at > at
            """
        ).run(.text(key.name), .text(key.settings), .integer(key.revokedAt))
        return changes > 0
    }

    // MARK: Changes

    /// Returns a number that changes with every commit of another connection.
    func dataVersion() throws(StoreError) -> Int64 { try number("PRAGMA data_version") }

    /// Returns the number of the latest change; 0 before the first.
    func lastKeyChange() throws(StoreError) -> Int64 { try number("SELECT coalesce(max(number), 0) FROM changes") }

    /// Returns the names of keys that changed after a change, and the number of the last change; nil if that change is
    /// no longer known, or too many followed.
    func changedKeys(after number: Int64) throws(StoreError) -> (names: Set<String>, last: Int64)? {
        let oldest = try self.number("SELECT coalesce(min(number), 0) FROM changes")
        // Later changes are reported by the next call.
        let last = try lastKeyChange()
        // A number above the last one belongs to another file.
        guard number >= oldest - 1, number <= last, last - number <= 1000 else { return nil }
        var names: Set<String> = []
        try statement("SELECT name FROM changes WHERE number > ? AND number <= ?").rows(
            .integer(number), .integer(last)
        ) { names.insert($0.text(0)) }
        return (names, last)
    }
}

extension SQLiteStatement {
    /// Key in a row with the table's columns; nil if the row is damaged.
    fileprivate var managedKey: ManagedKey? {
        guard let digest = KeyDigest(bytes: octets(1)), let identity = KeyDigest(bytes: octets(2)) else { return nil }
        return ManagedKey(
            name: text(0), digest: digest, identity: identity, settings: text(3), created: integer(4))
    }
}
