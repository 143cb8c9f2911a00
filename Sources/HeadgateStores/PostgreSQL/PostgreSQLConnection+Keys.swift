internal import HeadgateGateway
internal import HeadgateRelay

extension PostgreSQLConnection {
    private static let columns = "name, encode(digest, 'hex'), encode(identity, 'hex'), settings, created"

    /// Adds a key.
    ///
    /// - Returns: false if a key with that name exists, or a key has or had that digest.
    func insert(_ key: ManagedKey) throws(StoreError) -> Bool {
        guard !key.name.utf8.contains(0), !key.settings.utf8.contains(0) else {
            throw StoreError(.failed, server.name, "a name or a setting holds a NUL, which PostgreSQL keeps in no text")
        }
        let inserted = try query(
            """
            INSERT INTO headgate.keys SELECT $1::text, decode($2, 'hex'), decode($3, 'hex'), $4::text, $5::bigint
                WHERE NOT EXISTS (SELECT 1 FROM headgate.former_keys WHERE digest = decode($2, 'hex'))
            ON CONFLICT DO NOTHING
            """,
            [
                .text(key.name), .text(key.digest.hexadecimal), .text(key.identity.hexadecimal), .text(key.settings),
                .integer(key.created),
            ])
        guard inserted.changes == 1 else { return false }
        try replaceFormer(of: key)
        return true
    }

    /// - Returns: nil if there is no such key.
    func rotateKey(
        _ name: String, to digest: KeyDigest, until end: Int64, at now: Int64
    ) throws(StoreError) -> ManagedKey? {
        guard let key = try managedKeys(named: [name]).first?.rotated(to: digest, until: end, at: now) else {
            return nil
        }
        try query(
            "UPDATE headgate.keys SET digest = decode($2, 'hex') WHERE name = $1",
            [.text(name), .text(digest.hexadecimal)])
        try replaceFormer(of: key)
        return key
    }

    /// - Returns: whether the key existed.
    func revokeKey(_ name: String) throws(StoreError) -> Bool {
        let name = PostgreSQLValue.text(name.withoutNUL)
        try query(
            """
            INSERT INTO headgate.revoked_keys SELECT name, settings, extract(epoch FROM now())::bigint
                FROM headgate.keys WHERE name = $1 AND settings LIKE '%"group"%'
            ON CONFLICT (name) DO UPDATE SET settings = excluded.settings, at = excluded.at
            """, [name])
        try query(
            "DELETE FROM headgate.revoked_keys WHERE at < extract(epoch FROM now())::bigint - 32 * 86400", [])
        return try query("DELETE FROM headgate.keys WHERE name = $1", [name]).changes > 0
    }

    /// Returns the settings of recently revoked keys in groups, by name.
    func revokedSettings() throws(StoreError) -> [String: String] {
        let rows = try query("SELECT name, settings FROM headgate.revoked_keys", [])
        var settings: [String: String] = [:]
        for row in 0..<rows.count { settings[rows.text(row, 0)] = rows.text(row, 1) }
        return settings
    }

    func revokedKeys() throws(StoreError) -> [RevokedKey] {
        let rows = try query("SELECT name, settings, at FROM headgate.revoked_keys ORDER BY name", [])
        return (0..<rows.count).map {
            RevokedKey(name: rows.text($0, 0), settings: rows.text($0, 1), revokedAt: rows.integer($0, 2))
        }
    }

    /// - Returns: false if the same key was revoked there at that time or later.
    func insertRevoked(_ key: RevokedKey) throws(StoreError) -> Bool {
        try query(
            """
            INSERT INTO headgate.revoked_keys AS there VALUES ($1, $2, $3::bigint) ON CONFLICT (name)
                DO UPDATE SET settings = excluded.settings, at = excluded.at WHERE excluded.at > there.at
            """, [.text(key.name.withoutNUL), .text(key.settings.withoutNUL), .integer(key.revokedAt)]
        ).changes > 0
    }

    private func replaceFormer(of key: ManagedKey) throws(StoreError) {
        try query("DELETE FROM headgate.former_keys WHERE name = $1", [.text(key.name)])
        for former in key.former {
            try query(
                "INSERT INTO headgate.former_keys VALUES ($1, decode($2, 'hex'), $3::bigint) ON CONFLICT DO NOTHING",
                [.text(key.name), .text(former.digest.hexadecimal), .integer(former.end)])
        }
    }

    // MARK: Reading

    /// Returns the existing keys, in the order of their names' bytes.
    func managedKeys(named names: [String]) throws(StoreError) -> [ManagedKey] {
        let condition = "WHERE name = ANY ($1::text[]) ORDER BY"
        return try managedKeys("\(condition) name", "\(condition) ends, digest", [.texts(names.map(\.utf8))])
    }

    /// Returns keys in the order of their names' bytes.
    ///
    /// - Parameters:
    ///   - name: the last name of the previous page; empty for the first page.
    ///   - limit: maximum number; nil for all.
    func managedKeys(
        after name: String = "", limit: Int? = nil, within time: Duration? = nil
    ) throws(StoreError) -> [ManagedKey] {
        let values: [PostgreSQLValue] = [.text(name.withoutNUL), limit.map { .integer(Int64($0)) } ?? .null]
        return try managedKeys(
            "WHERE name > $1 ORDER BY name LIMIT $2::bigint",
            """
            WHERE name IN (SELECT name FROM headgate.keys WHERE name > $1 ORDER BY name LIMIT $2::bigint)
                ORDER BY ends, digest
            """, values, within: time)
    }

    private func managedKeys(
        _ condition: String, _ formerCondition: String, _ values: [PostgreSQLValue], within time: Duration? = nil
    ) throws(StoreError) -> [ManagedKey] {
        let columns = PostgreSQLConnection.columns
        let rows = try query("SELECT \(columns) FROM headgate.keys \(condition)", values, within: time)
        var keys: [ManagedKey] = []
        keys.reserveCapacity(rows.count)
        // Damaged rows are skipped.
        for row in 0..<rows.count {
            guard let digest = KeyDigest(hexadecimal: rows.text(row, 1)),
                let identity = KeyDigest(hexadecimal: rows.text(row, 2))
            else { continue }
            keys.append(
                ManagedKey(
                    name: rows.text(row, 0), digest: digest, identity: identity, settings: rows.text(row, 3),
                    created: rows.integer(row, 4)))
        }
        if keys.isEmpty { return [] }
        let all = try query(
            "SELECT name, encode(digest, 'hex'), ends FROM headgate.former_keys \(formerCondition)", values,
            within: time)
        var former: [String: [ManagedKey.Former]] = [:]
        for row in 0..<all.count {
            guard let digest = KeyDigest(hexadecimal: all.text(row, 1)) else { continue }
            former[all.text(row, 0), default: []].append(ManagedKey.Former(digest, until: all.integer(row, 2)))
        }
        if former.isEmpty { return keys }
        for index in keys.indices { keys[index].former = former[keys[index].name] ?? [] }
        return keys
    }
}
