import ArgumentParser
import HeadgateClient
import HeadgateLibC
import HeadgateService

struct ChatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Talk to a model in the terminal.",
        discussion: """
            Talks to the gateway that runs where the configuration makes it listen, or starts one that ends with the \
            conversation. Without a prompt, on a terminal, a conversation begins; /help lists its commands. With a \
            prompt, or with text on standard input, one answer is printed: rendered on a terminal, exactly as the \
            model wrote it elsewhere. Text on standard input comes after the prompt.

            Conversations are kept for you alone; --continue goes on with the last one, --list lists them.

            Exits 0 after a whole answer; 1 when it failed, with what came of it printed; 64 for a wrong command line; \
            130 when Ctrl-C stopped it.

            Examples:
              headgate chat
              headgate chat --continue
              headgate chat --continue "And why?"
              headgate chat "Why is the sky blue?"
              headgate chat --file sky.png "What is this?"
              git diff | headgate chat "Write a commit message for this."
              headgate chat --model gpt-6.1-sol --system "Answer in French." --json "Say hello."
              HEADGATE_KEY=$KEY headgate chat --url https://llm.example.org "Say hello."
            """)

    @OptionGroup var options: GatewayOptions

    @Option(
        name: .shortAndLong, help: "The model; default: the first that the gateway lists.",
        completion: ModelNames.completion)
    var model: String?

    @Option(name: .shortAndLong, help: "The system prompt of the whole conversation.")
    var system: String?

    @Option(name: .shortAndLong, help: "Sampling temperature, from 0; default: the provider's.")
    var temperature: Double?

    @Option(name: .customLong("max-tokens"), help: "The longest answer, in tokens; default: the provider's.")
    var maximumTokens: Int?

    @Option(
        name: .shortAndLong,
        help: "A picture, a PDF or a text that goes with the first prompt; may be given several times.",
        completion: .file())
    var file: [String] = []

    @Flag(name: [.customLong("continue")], help: "Go on with the last conversation that was kept.")
    var goesOn = false

    @Option(
        help: ArgumentHelp(
            "Go on with a conversation: its number in --list, or a file of /save or of the web chat.",
            valueName: "number|file"),
        completion: .file())
    var load: String?

    @Flag(help: "List the conversations that are kept, the latest first.")
    var list = false

    @Flag(help: "Print one JSON object with the answer, its usage and its times.")
    var json = false

    @Flag(name: .customLong("no-color"), help: "Neither colours nor other styles (NO_COLOR does the same).")
    var isColorless = false

    @Flag(name: .customLong("no-history"), help: "Keep neither prompts nor the conversation.")
    var keepsNoHistory = false

    @Argument(help: "What to ask; without it, a conversation begins.")
    var prompt: [String] = []

    private var isConversation: Bool { prompt.isEmpty && isatty(STDIN_FILENO) == 1 }

    func validate() throws {
        if [goesOn, load != nil, list].filter({ $0 }).count > 1 {
            throw ValidationError("--continue, --load and --list exclude each other")
        }
        if json, list { throw ValidationError("--json is for one answer") }
        if json, isConversation { throw ValidationError("--json is for one answer: give a prompt") }
        if let temperature, !(temperature >= 0) { throw ValidationError("--temperature must be 0 or more") }
        if let maximumTokens, maximumTokens < 1 { throw ValidationError("--max-tokens must be 1 or more") }
    }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        useUnicode()
        try reporting {
            if list { return listConversations() }
            let files = try file.map { try AttachedFile(readingFrom: $0) }
            try ChatPrompt.check(files)
            let question = isConversation ? nil : try OneQuestion(arguments: prompt, files: files)
            let kept = try keptConversation()
            do {
                let service = try ChatService(options) { complain("headgate: \($0)") }
                let code: Int32
                do {
                    defer { service.close() }
                    if let question {
                        code = try ask(question, through: service, after: kept)
                    } else {
                        code = try converse(through: service, with: files, after: kept)
                    }
                }
                if code != 0 { throw ExitCode(code) }
            } catch let interruption as Interruption {
                throw ExitCode(interruption.exitCode)
            }
        }
    }

    private func ask(
        _ question: OneQuestion, through service: ChatService, after kept: ResumedConversation?
    ) throws -> Int32 {
        let form = json ? ResponseForm.silent : ChatTerminal.form(isColorless: isColorless)
        // A single question is not stored, unless it belongs to a stored conversation.
        let conversation = try conversation(
            through: service, form: form, keeps: kept != nil && !keepsNoHistory, after: kept)
        let outcome = conversation.take(question.prompt)
        conversation.keep()
        return question.report(outcome, through: service, form: form)
    }

    private func converse(
        through service: ChatService, with files: [AttachedFile], after kept: ResumedConversation?
    ) throws -> Int32 {
        let conversation = try conversation(
            through: service, form: ChatTerminal.form(isColorless: isColorless), keeps: !keepsNoHistory, after: kept)
        conversation.files = files
        return try conversation.run()
    }

    private func conversation(
        through service: ChatService, form: ResponseForm, keeps: Bool, after kept: ResumedConversation?
    ) throws -> ChatConversation {
        let name = try model ?? firstModel(of: service)
        let session = ChatSession(client: service.client, model: name)
        let conversation = ChatConversation(session, service: service, form: form, keeps: keeps)
        let route = try service.route(of: name)
        // For a single question, the gateway reports this error.
        if route == nil, model != nil, isConversation { try conversation.checkModel(name) }
        session.route = route ?? .chatCompletions
        if let kept { try conversation.adopt(kept, keepsModel: model != nil) }
        apply(to: conversation.session)
        return conversation
    }

    /// Applies options of the command line, which override those of the conversation.
    private func apply(to session: ChatSession) {
        session.instructions = system ?? session.instructions
        session.options.temperature = temperature ?? session.options.temperature
        session.options.maximumResponseTokens = maximumTokens ?? session.options.maximumResponseTokens
    }

    private func firstModel(of service: ChatService) throws -> String {
        guard let name = try service.models().first else {
            throw Complaint("the gateway lists no model: name one with --model")
        }
        return name
    }

    /// Sets the locale, which line editing and character widths depend on. If none is set, text is UTF-8.
    private func useUnicode() {
        setlocale(LC_CTYPE, "")
        if String(cString: nl_langinfo(Int32(CODESET))) != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
    }
}

/// Capabilities of standard output.
enum ChatTerminal {
    /// Whether the terminal can edit lines and show styles.
    static var isCapable: Bool {
        let name = ProcessEnvironment.current["TERM"] ?? ""
        return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && !name.isEmpty && name != "dumb"
    }

    /// Number of columns of standard output; nil if it is not a terminal, or does not report them.
    static var columns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    static func form(isColorless: Bool) -> ResponseForm {
        guard isatty(STDOUT_FILENO) == 1 else { return .exact }
        let environment = ProcessEnvironment.current
        let name = environment["TERM"] ?? ""
        let wantsNone = isColorless || !(environment["NO_COLOR"] ?? "").isEmpty
        return wantsNone || name.isEmpty || name == "dumb" ? .plain : .rendered
    }
}
