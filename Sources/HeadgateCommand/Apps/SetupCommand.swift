import ArgumentParser
import HeadgateApps
import HeadgateLibC
import HeadgateService
import HeadgateTerminal

struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Point an app at the gateway: show, write or undo its settings.",
        discussion: """
            Without an app: lists the apps that it knows, and which of them are on this machine. With one: shows its \
            settings file and the text to add, or the values to type into its form. --write changes the file, shows \
            the difference and leaves a backup beside it; everything else in the file stays. --undo removes what \
            --write added.

            The address and the key are those of 'headgate env'. The model is one that the running gateway lists, \
            else one of the configuration.

            Examples:
              headgate setup
              headgate setup codex --write
              headgate setup claude-code --model claude-sonnet-4-6 --write
              headgate setup codex --undo
            """)

    @Argument(
        help: "The app, such as codex, claude-code, opencode, zed or vscode.",
        completion: .list(KnownApp.all.map(\.name)))
    var app: String?

    @Option(
        help: ArgumentHelp("The model that the app uses; default: one that the gateway has.", valueName: "name"),
        completion: ModelNames.completion)
    var model: String?

    @Option(
        help: ArgumentHelp(
            "The model's context size, for apps that need one; default: what the gateway lists, else 128000.",
            valueName: "tokens"))
    var context: Int?

    @Flag(help: "Write the app's settings file.")
    var write = false

    @Flag(help: "Remove what --write added to the settings file.")
    var undo = false

    @OptionGroup var gateway: GatewayOptions

    func validate() throws {
        if write, undo { throw ValidationError("--write and --undo exclude each other.") }
        if app == nil, write || undo { throw ValidationError("Name the app: headgate setup APP --write") }
        if let context, !(1024...100_000_000).contains(context) {
            throw ValidationError("--context must be between 1024 and 100000000 tokens, got \(context).")
        }
    }

    func run() throws {
        try reporting {
            let environment = ProcessEnvironment.current
            guard let places = AppPlaces(environment: environment, exists: { access($0, F_OK) == 0 }) else {
                throw Complaint("HOME is not set, so that no app's settings can be found: set it")
            }
            guard let app else { return AppList(places: places, url: root(environment)).show() }
            guard let app = KnownApp.named(app) else { throw SetupCommand.unknown(app) }
            if undo {
                let settings = AppSettings.placeless(url: root(environment))
                return try AppUndo(app: app, files: try files(of: app, settings, places)).run()
            }
            let address = try ProgramAddress.find(gateway, environment)
            let choice = try ModelChoice(gateway, environment).choose(model, for: app)
            let settings = try AppSettings(address, choice, context: context, gateway, environment)
            try AppSetup(app: app, settings: settings, places: places, writes: write).run()
        }
    }

    /// Returns the gateway's address; nil if the configuration has errors, which do not affect settings written
    /// earlier.
    private func root(_ environment: [String: String]) -> String? {
        try? ProgramAddress.root(gateway, environment)
    }

    private func files(of app: KnownApp, _ settings: AppSettings, _ places: AppPlaces) throws -> [KnownApp.File] {
        do {
            return try app.files(settings, places)
        } catch is EditRefusal {
            return []
        }
    }

    private static func unknown(_ name: String) -> Complaint {
        let names = KnownApp.all.map(\.name).joined(separator: ", ")
        return Complaint(
            "there is no app '\(Neutralised.line(name))' here: choose from \(names); "
                + "'headgate env' has the settings for any other one")
    }
}
