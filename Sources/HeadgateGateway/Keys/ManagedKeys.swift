package import HeadgateConfiguration
internal import HeadgatePrimitives
internal import HeadgateRelay
internal import Synchronization

/// The managed keys of the process, whatever its configuration.
package final class ManagedKeys: Sendable {
    let table = Locked(ManagedKeyTable())
    /// Whether other machines manage them too: then there may be some at any time, and none is known before the store
    /// has answered.
    let areShared: Bool
    private let isServed = Atomic<Bool>(false)
    private let isTold = Atomic<Bool>(false)
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - areShared: whether other machines manage them too.
    ///   - report: told of keys that cannot be let in, each once in a configuration.
    package init(areShared: Bool = false, report: @escaping @Sendable (String) -> Void) {
        self.areShared = areShared
        self.report = report
    }

    /// Nothing is looked up any more by what it was before.
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

    /// Whether the store has not told which there are.
    package var areUnknown: Bool { areShared && !isTold.load(ordering: .acquiring) }

    package var isEmpty: Bool { table.withLock { $0.count == 0 } }

    /// Of a key, as its settings have it; nil for none, and for a name that no key has.
    ///
    /// - Parameter revoked: the settings of keys that were, by their names.
    package func group(of name: String, revoked: [String: String] = [:]) -> String? {
        let subject = table.withLock { $0.subject(name) }
        guard let settings = subject?.settings ?? revoked[name] else { return nil }
        return try? KeySettings(settings).configuration(
            name: name, digest: subject?.identity ?? KeyDigest(of: name.utf8), groups: nil
        ).group
    }

    /// Whether the configuration that is served was compiled for managed keys. One that was not lets none of them in:
    /// it has no limits for keys, and may take everybody for one caller.
    package var areServed: Bool {
        get { isServed.load(ordering: .acquiring) }
        set { isServed.store(newValue, ordering: .releasing) }
    }

    /// Names of both: the key of the configuration is the one that is let in.
    package func names(alsoOf keys: [KeyConfiguration]) -> [String] {
        table.withLock { table in keys.map(\.name).filter(table.contains) }
    }

    /// The managed keys under a configuration.
    ///
    /// - Parameter hasLedger: whether the use of requests is kept.
    func lookup(for configuration: Configuration, hasLedger: Bool) -> any ManagedKeySource {
        ManagedKeyLookup(self, beside: configuration.keys, groups: configuration.groups, hasLedger: hasLedger)
    }

    func tell(_ line: String) { report(line) }
}

/// Managed keys under one configuration.
final class ManagedKeyLookup: ManagedKeySource {
    private let keys: ManagedKeys
    private let groups: [GroupConfiguration]
    /// Whether it is kept what requests use.
    private let hasLedger: Bool
    /// Of keys of the configuration, which come first.
    private let taken: Set<ExactText>
    /// Whether there were any when this configuration was compiled.
    let isCompiled: Bool
    /// Tells what was compiled for this configuration from what was for others.
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

    /// Nil for a key that cannot be let in.
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
