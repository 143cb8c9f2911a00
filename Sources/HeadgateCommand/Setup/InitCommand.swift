import ArgumentParser
import HeadgateConfiguration
import HeadgateRelay
import HeadgateService
import HeadgateTerminal

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Write a configuration file.",
        discussion: """
            Asks a few questions and suggests answers: providers with a key in the environment, Ollama on this \
            machine, else the model on this device. With --provider or --yes it asks nothing.

            The file contains no secret. Keys stay in the environment, or in files of their own that only you can \
            read. The client key is shown once; the file has its digest, and your commands read it from your key \
            file. An existing file is replaced only with --force.

            Examples:
              headgate init
              headgate init --provider openai --provider anthropic
              headgate init --yes --no-key --output ./headgate.yaml
            """)

    @Option(
        name: .customLong("provider"),
        help: ArgumentHelp(
            "Provider, such as openai, anthropic, gemini, ollama or on-device. Can be repeated.",
            valueName: "name"),
        completion: .list(KnownProvider.all.map(\.name)))
    var providers: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "Make a client key, or none; default: make one if it protects a provider's key.")
    var key: Bool?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("File to write; default: headgate.yaml in ~/.config/headgate.", valueName: "path"),
        completion: .file(extensions: ["yaml", "yml"]))
    var output: String?

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(name: .shortAndLong, help: "Use what is found, without questions.")
    var yes = false

    func run() throws {
        try reporting {
            let environment = ProcessEnvironment.current
            guard let path = output ?? ConfigurationPlace.userPath(environment) else {
                throw Complaint("HOME is not set, so that there is no folder for the file: name one with --output")
            }
            if !force { try NewFile.checkAbsent(path) }
            let search = SetupSearch(environment)
            let plan: SetupPlan
            let wantsKey: Bool
            if yes || !providers.isEmpty {
                plan = SetupPlan(try chosen(search).map { try search.upstream($0) })
                wantsKey = key ?? plan.hasSecret
            } else if StandardInput.isTerminal {
                let questions = SetupQuestions(
                    search: search, folder: FilePath.folder(of: FilePath.absolute(path)), replaces: force)
                complain("This writes \(Neutralised.line(path)). Enter takes the answer in brackets.\n")
                plan = SetupPlan(try questions.upstreams())
                wantsKey = try key ?? questions.wantsKey(plan)
            } else {
                throw Complaint(
                    "there is no terminal to ask on: name providers with --provider, or take what is found with --yes")
            }
            try write(plan, to: path, isKeyed: wantsKey, environment)
        }
    }

    private func chosen(_ search: SetupSearch) throws -> [KnownProvider] {
        guard !providers.isEmpty else { return search.found() }
        return try SetupSearch.providers(providers.flatMap { $0.split(separator: ",").map(String.init) })
    }

    private func write(
        _ plan: SetupPlan, to path: String, isKeyed: Bool, _ environment: [String: String]
    ) throws {
        var plan = plan
        // The plan is checked before any file is created.
        try plan.check(file: path, isKeyed: isKeyed || plan.hasSecret, environment: environment)
        let known = isKeyed ? try GatewayKey.load(environment: environment) : nil
        let key = isKeyed ? try known ?? GatewayKey.loadOrMake(environment: environment) : nil
        plan.keyDigest = key.map { KeyDigest(of: $0.utf8).hexadecimal }
        for upstream in plan.upstreams {
            guard let pasted = upstream.pastedKey, case .file(let file) = upstream.key else { continue }
            try NewFile.write(pasted + "\n", to: file, replacing: force)
            complain("The key of \(upstream.provider.title) is in \(Neutralised.line(file)).")
        }
        try NewFile.write(plan.text, to: path, replacing: force)
        let titles = plan.upstreams.map(\.provider.title).joined(separator: ", ")
        complain("headgate: wrote \(Neutralised.line(path)) (\(titles))")
        if let key {
            let file = Neutralised.line(try GatewayKey.path(environment))
            if known == nil {
                complain("The client key, shown only now; your own commands find it in \(file):")
                announce(key)
            } else {
                complain("The client key is the one in \(file), which 'headgate key show' prints.")
            }
        }
        let missing = plan.variables.filter { (environment[$0] ?? "").isEmpty }
        if !missing.isEmpty { complain("Before you start it, set \(missing.joined(separator: " and ")).") }
        let isFound = ConfigurationSource(file: nil, environment: environment).path == path
        complain("Next: headgate serve\(isFound ? "" : " --config \(path.asShellWord)")")
        if isFound { complain("Then, in another terminal: headgate chat, or headgate setup to point your apps at it") }
    }
}

extension String {
    /// The string as one word for a POSIX shell.
    var asShellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "/._-+:,@".utf8.contains(byte)
        }
        return isPlain && !isEmpty ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
