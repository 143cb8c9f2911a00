import ArgumentParser
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateRelay
import HeadgateService
import HeadgateTerminal

struct AddKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a client key without a change of the configuration.",
        discussion: """
            Prints the key, once. Its digest and its settings are kept in keys.db of the data folder, or in PostgreSQL \
            where the configuration has the ledger there, whether a gateway runs or not; one that runs lets it in \
            before the command ends. The settings are those of a key in the configuration.

            The first key of a gateway that asks nobody for one turns authentication on: from then on every request \
            needs a key. The command asks before it does that; --yes answers for scripts.

            Examples:
              headgate key add laptop
              headgate key add ci --models "gpt-5.4-mini,claude-*" --limit requests=60/m --limit in_flight=4
              headgate key add intern --budget usd=20/month --expires 30d
              headgate key add nightly --priority batch
            """)

    @Argument(help: "Whose key it is; unique, and shown by the log.")
    var name: String

    @Option(
        help: ArgumentHelp(
            "The public names and patterns that it may use, with commas between them; all without it.",
            valueName: "names"))
    var models: String?

    @Option(
        name: .customLong("limit"),
        help: ArgumentHelp(
            "What it may use, such as requests=60/m, tokens=200k/m, burst=10 or in_flight=8; may be repeated.",
            valueName: "limit"))
    var limits: [String] = []

    @Option(help: ArgumentHelp("What it may use up, such as usd=20/month or tokens=5M/day.", valueName: "budget"))
    var budget: String?

    @Option(help: "A group of the configuration, whose limits its keys share.")
    var group: String?

    @Option(
        name: .customLong("allow-tiers"),
        help: ArgumentHelp(
            "The service tiers that it may select, with commas between them, such as default,flex; all without it.",
            valueName: "tiers"))
    var tiers: String?

    @Option(
        help: ArgumentHelp(
            "Whether requests whose price is unknown pass a budget in USD: allow (the default) or refuse.",
            valueName: "what"))
    var unpriced: String?

    @Option(
        help: ArgumentHelp(
            "Whether its requests wait for a full upstream behind all others: interactive (the default) or batch.",
            valueName: "what"))
    var priority: String?

    @Option(
        help: ArgumentHelp(
            "The upstreams with 'passthrough: true' whose whole API it reaches, with commas between them.",
            valueName: "names"))
    var passthrough: String?

    @Flag(help: "Let it see metrics and status, and manage keys.")
    var admin = false

    @Option(
        help: ArgumentHelp(
            "When it ends: a time from now such as 12h or 30d, or a date such as 2027-01-01.", valueName: "when"))
    var expires: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Turn authentication on without asking.")
    var yes = false

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            guard ManagedKeyName.isValid(name) else {
                throw Complaint("a key's name is \(ManagedKeyName.expected)")
            }
            let configuration = configurationForChecks()
            if configuration?.keys.contains(where: { $0.name == name }) == true {
                throw Complaint("the configuration has a key '\(name)': choose another name")
            }
            let settings = try checkedSettings(configuration)
            // A configuration that requires a missing secret belongs to a gateway that already requires keys.
            let first = FirstKey(try? options.source.load())
            if first.turnsAuthenticationOn, !yes { try first.confirm() }
            let (text, key) = try options.keyRegister().add(name, settings)
            if first.turnsAuthenticationOn { complain("Authentication is now on: every request needs a key.") }
            KeyPrinter(isJSON: json).print(text, of: key)
            if budget != nil, !settings.text.contains("tokens"), unpriced != "refuse" {
                complain(
                    "Requests for models without a price count nothing in USD: --unpriced refuse refuses them.")
            }
            guard let configuration else { return }
            let group = try EventLoopGroup(starting: 1)
            defer { group.stop() }
            try KeyAdmission(configuration, group: group).wait(for: text, isFirst: first.turnsAuthenticationOn)
        }
    }

    /// Returns the configuration; nil if it cannot be read here.
    private func configurationForChecks() -> Configuration? {
        do {
            return try options.source.loadWithoutSecrets()
        } catch {
            let complaint = (error as? Complaint)?.message ?? "\(error)"
            complain(
                "headgate: the gateway's configuration cannot be read here, so that names in it are not checked: "
                    + (complaint.split(separator: "\n").first ?? ""))
            return nil
        }
    }

    private func checkedSettings(_ configuration: Configuration?) throws -> KeySettings {
        do {
            let names = models?.split(separator: ",").map { $0.trimmingSpaces } ?? []
            if models != nil, names.isEmpty { throw Complaint("--models names no model") }
            let settings = try KeySettings(
                models: names, limits: limits, budget: budget, group: group, isAdmin: admin,
                expires: try expires.map(KeyExpiry.date),
                tiers: tiers?.split(separator: ",").map { $0.trimmingSpaces } ?? [], unpriced: unpriced,
                priority: priority, passthrough: passthrough?.split(separator: ",").map { $0.trimmingSpaces } ?? [])
            let checked = try settings.configuration(
                name: name, digest: KeyDigest(of: name.utf8), groups: configuration?.groups.map(\.name))
            if let end = checked.expires, end <= KeyRegister.now { throw Complaint("--expires is in the past") }
            if checked.needsLedger, configuration?.ledger.place == LedgerConfiguration.Place.none {
                throw KeySettingsError.needsLedger
            }
            return settings
        } catch let error as KeySettingsError {
            throw Complaint(error.message)
        }
    }
}

struct ListKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the managed keys.",
        discussion: "Those of the configuration are shown by 'headgate check'.")

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var options: ConfigurationOptions

    /// Number of keys per page.
    private static let page = 1000

    func run() throws {
        try reporting {
            let register = try options.keyRegister()
            var keys: [ManagedKey] = []
            while true {
                let page = try register.list(after: keys.last?.name ?? "", limit: ListKeysCommand.page)
                keys += page
                if page.count < ListKeysCommand.page { break }
            }
            KeyPrinter(isJSON: json).print(keys)
        }
    }
}

struct RotateKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Make another key in place of a managed one.",
        discussion:
            "Prints the new key, once. The one before ends at once, or with --grace after that time. Name, limits and "
            + "what was made with the key stay.")

    @Argument(help: "Whose key it is.")
    var name: String

    @Option(help: ArgumentHelp("How long the key before is let in yet, such as 30m, 1h or 7d.", valueName: "time"))
    var grace: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            guard let seconds = grace.map(KeyGrace.seconds) ?? 0 else {
                throw Complaint("--grace takes \(KeyGrace.expected)")
            }
            let (text, key) = try options.keyRegister().rotate(name, grace: seconds)
            KeyPrinter(isJSON: json).print(text, of: key)
        }
    }
}

struct RevokeKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a managed key.",
        discussion:
            "A gateway that runs lets nobody in with it any more within a second; what is in flight ends as usual.")

    @Argument(help: "Whose key it is.")
    var name: String

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            try options.keyRegister().revoke(name)
            complain("revoked: \(name)")
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
