package import HeadgateConfiguration
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import Synchronization

/// Managed keys of the process. They persist across reloads of the configuration.
package final class ManagedKeys: Sendable {
    let table = Locked(ManagedKeyTable())
    /// Whether other machines manage the keys too. Then keys can appear at any time, and none is known before the store
    /// has responded.
    let areShared: Bool
    private let isServed = Atomic<Bool>(false)
    private let isTold = Atomic<Bool>(false)
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - areShared: whether other machines manage the keys too.
    ///   - report: receives a line about each key that cannot be used, once for each configuration.
    package init(areShared: Bool = false, report: @escaping @Sendable (String) -> Void) {
        self.areShared = areShared
        self.report = report
    }

    /// Applies a notification of the store. Lookups use the new state from then on.
    package func hear(_ news: KeyStoreNews) {
        switch news {
        case .all(let keys):
            var replaced = ManagedKeyTable(keys)
            table.withLock { swap(&$0, &replaced) }
            isTold.store(true, ordering: .releasing)
        case .changed(let changes):
            for (name, key) in changes { table.withLock { $0.change(name, to: key) } }
        }
    }

    /// Whether the keys are unknown, because the store has not sent them yet.
    package var areUnknown: Bool { areShared && !isTold.load(ordering: .acquiring) }

    package var isEmpty: Bool { table.withLock { $0.count == 0 } }

    /// Returns the group in the settings of a key; nil if the key has none, or if there is no such key.
    ///
    /// - Parameter revoked: settings of revoked keys, by their names.
    package func group(of name: String, revoked: [String: String] = [:]) -> String? {
        let subject = table.withLock { $0.subject(name) }
        guard let settings = subject?.settings ?? revoked[name] else { return nil }
        return try? KeySettings(settings).configuration(
            name: name, digest: subject?.identity ?? KeyDigest(of: name.utf8), groups: nil
        ).group
    }

    /// Whether the active configuration was compiled for managed keys. Any other configuration accepts none of them,
    /// because it has no limits for keys, and might treat all requests as those of one caller.
    package var areServed: Bool {
        get { isServed.load(ordering: .acquiring) }
        set { isServed.store(newValue, ordering: .releasing) }
    }

    /// Returns the names that are both managed and configured; the configured key takes precedence.
    package func names(alsoOf keys: [KeyConfiguration]) -> [String] {
        table.withLock { table in keys.map(\.name).filter(table.contains) }
    }

    /// Returns the source of managed keys for a configuration.
    ///
    /// - Parameter hasLedger: whether the gateway has a ledger.
    func lookup(for configuration: Configuration, hasLedger: Bool) -> any ManagedKeySource {
        ManagedKeyLookup(self, beside: configuration.keys, groups: configuration.groups, hasLedger: hasLedger)
    }

    func tell(_ line: String) { report(line) }
}

/// Source of managed keys for one configuration.
final class ManagedKeyLookup: ManagedKeySource {
    private let keys: ManagedKeys
    private let groups: [GroupConfiguration]
    /// Whether the gateway has a ledger.
    private let hasLedger: Bool
    /// Names of configured keys, which take precedence.
    private let taken: Set<ExactText>
    /// Whether managed keys existed, or could appear, when this configuration was compiled.
    let isCompiled: Bool
    /// Number of this configuration. Keys that were compiled for another number are compiled again.
    private let number: Int

    private static let last = Atomic<Int>(0)

    init(
        _ keys: ManagedKeys, beside configured: [KeyConfiguration], groups: [GroupConfiguration],
        hasLedger: Bool = true
    ) {
        self.keys = keys
        self.groups = groups
        self.hasLedger = hasLedger
        taken = Set(configured.map { ExactText($0.name) })
        isCompiled = keys.areShared || !keys.isEmpty || keys.areServed
        number = ManagedKeyLookup.last.add(1, ordering: .relaxed).newValue
    }

    var areShared: Bool { keys.areShared }

    /// - Throws: ``GatewayError`` for a valid key if this configuration was compiled without managed keys, and for any
    ///   key if the store has not answered yet.
    func key(_ digest: KeyDigest, at now: Int64) throws(GatewayError) -> ClientKey? {
        let found = keys.table.withLock { $0[digest] }
        guard let found, now < found.end else {
            if keys.areUnknown { throw .keysUnknown }
            return nil
        }
        guard isCompiled else { throw .keysAppear }
        if let compiled = found.compiled, compiled.number == number { return compiled.key }
        let key = compiled(found.subject)
        keys.table.withLock { $0.keep(key, for: number, at: digest) }
        return key
    }

    /// Compiles a key; nil if the key cannot be used.
    private func compiled(_ subject: ManagedKeyTable.Subject) -> ClientKey? {
        guard !taken.contains(ExactText(subject.name)) else { return nil }
        do {
            let configuration = try KeySettings(subject.settings).configuration(
                name: subject.name, digest: subject.identity, groups: groups.map(\.name))
            if configuration.needsLedger, !hasLedger {
                keys.tell("the managed key '\(subject.name)': \(KeySettingsError.needsLedger.message)")
            }
            return ClientKey(configuration, group: groups.first { configuration.group == $0.name })
        } catch {
            keys.tell("the managed key '\(ShownName.text(subject.name))' is refused: \(error.message)")
            return nil
        }
    }
}
