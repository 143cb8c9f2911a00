import HeadgateClient
import HeadgateEventLoop
import HeadgateLibC
import HeadgateService
import HeadgateTerminal

/// `headgate chat` without a prompt: a conversation on a terminal.
///
/// Belongs to the main thread.
final class ChatConversation {
    var session: ChatSession
    let service: ChatService
    /// Prompts, by the ids of their transcript entries.
    var prompts: [Int: ChatPrompt] = [:]
    /// Outcomes of replies, by the ids of their transcript entries.
    var outcomes: [Int: ChatOutcome] = [:]
    /// Usage since the conversation began.
    var usage = ConversationUsage()
    var lastPrompt: ChatPrompt?
    /// Id of the reply to the last prompt; nil if there is none.
    var lastResponse: Int?
    /// Files that are sent with the next prompt.
    var files: [AttachedFile] = []
    /// Stored conversation for later chats; nil if it is not stored.
    var record: ConversationRecord?
    /// Conversations as last listed.
    var listed: [KeptConversations.Entry] = []
    var deleted = DeletedConversations()
    /// Paths that this conversation wrote, and can overwrite.
    var savedFiles: Set<String> = []
    /// Names of the gateway's models; nil until they are requested.
    var modelNames: [String]?
    let form: ResponseForm
    private let history: ChatHistory?
    private let input = TerminalInput()
    /// Source of typed prompts, once the conversation has begun.
    private var source: (any PromptSource)?

    /// - Parameter keeps: Whether prompts and conversations are stored for later chats.
    init(_ session: ChatSession, service: ChatService, form: ResponseForm, keeps: Bool) {
        self.session = session
        self.service = service
        self.form = form
        history = keeps ? ChatHistory() : nil
        record = keeps ? KeptConversations().map { ConversationRecord($0) } : nil
    }

    /// Runs the conversation until the user leaves.
    ///
    /// - Returns: The exit code.
    /// - Throws: ``Interruption``.
    func run() throws -> Int32 {
        let sizes = try SignalRelay.Watch([SIGWINCH], like: service.relay) { [input] _ in input.tell(.resized) }
        defer { sizes.end() }
        let source = makeSource()
        self.source = source
        defer { self.source = nil }
        if let lastResponse { showAgain(lastResponse) }
        let place = service.gateway.isCompanion ? "a gateway of its own" : service.gateway.root.text ?? "a Unix socket"
        complain("Talking to \(Neutralised.line(session.model)) through \(place). /help lists commands, Ctrl-D leaves.")
        sayWhatGoesAlong(files)
        var assembly = PromptAssembly()
        while true {
            if service.relay.last == SIGINT { input.forgetTyped() }
            service.relay.forget()
            input.forget()
            service.relay.set { [input] signal in input.tell(signal == SIGINT ? .cleared : .interrupted) }
            if let signal = service.relay.last, signal != SIGINT { throw Interruption(signal: signal) }
            let line = source.read(prompt: assembly.isOpen ? "..." : "\(Neutralised.line(session.model))>")
            service.relay.set(nil)
            if let signal = service.relay.last, signal != SIGINT { throw Interruption(signal: signal) }
            switch line {
            case .end:
                complain("")
                return 0
            case .cleared: assembly.clear()
            case .line(let typed):
                guard let text = assembly.add(typed) else { continue }
                remember(text)
                guard try handle(ChatInput(text)) else { return 0 }
            }
        }
    }

    /// Adds a prompt to the history of this chat and of later ones.
    func remember(_ text: String) {
        guard !text.allSatisfy(\.isWhitespace) else { return }
        source?.remember(text)
        history?.add(text)
    }

    /// Asks a question and returns whether the answer is `y` or `yes`.
    ///
    /// - Throws: ``Interruption``.
    func agrees(to question: String) throws -> Bool {
        guard let source else { return false }
        service.relay.set { [input] signal in input.tell(signal == SIGINT ? .cleared : .interrupted) }
        defer { service.relay.set(nil) }
        let typed = source.read(prompt: "\(question) [y/N]")
        if let signal = service.relay.last, signal != SIGINT { throw Interruption(signal: signal) }
        guard case .line(let answer) = typed else { return false }
        return ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace })
    }

    private func makeSource() -> any PromptSource {
        if ChatTerminal.isCapable {
            let prompts = history?.load() ?? []
            let editor = LineEditor(input, history: prompts) { [unowned self] in complete($0) }
            if let editor { return editor }
        }
        return PlainLines(input)
    }

    /// - Returns: False to leave the conversation.
    /// - Throws: ``Interruption``.
    private func handle(_ input: ChatInput) throws -> Bool {
        switch input {
        case .nothing: return true
        case .prompt(let text):
            try ask(ChatPrompt(text, files: files))
            files = []
            return true
        case .command(.quit, _): return false
        case .command(let command, let argument):
            do {
                try run(command, argument)
            } catch let complaint as Complaint {
                say(complaint.message, .alarming)
            } catch let interruption as Interruption where interruption.signal == SIGINT {
                say("(stopped)", .dim)
            }
            return true
        case .unknownCommand(let name):
            sayUnknown(name)
            return true
        }
    }

    /// Sends a prompt, shows the reply, and records its usage.
    ///
    /// - Throws: ``Interruption`` for a signal other than Ctrl-C.
    func ask(_ prompt: ChatPrompt) throws { try note(take(prompt)) }

    /// Sends a prompt and shows the reply.
    func take(_ prompt: ChatPrompt) -> ChatOutcome {
        lastPrompt = prompt
        let known = session.transcript.count
        let outcome = service.ask(session, prompt.content, form: form)
        let new = session.transcript.dropFirst(known)
        if let question = new.first { prompts[question.id] = prompt }
        // A prompt whose reply never began is not in the transcript.
        lastResponse = new.last?.id
        if let lastResponse { outcomes[lastResponse] = outcome }
        return outcome
    }

    /// Reports the end of a reply, and stores the conversation.
    ///
    /// - Throws: As ``ask(_:)`` does.
    func note(_ outcome: ChatOutcome) throws {
        usage.add(outcome)
        let goesOn = outcome.mayGoOn ? " /continue lets it go on." : ""
        if let failure = outcome.failure {
            say("\(failure)\(goesOn) /retry asks again.", .alarming)
        } else if outcome.isStopped {
            // Overwrites the ^C that the terminal echoed, if it is alone on the line.
            if form != .exact { writeAll("\r", to: STDOUT_FILENO) }
            say(outcome.response.content.isEmpty ? "(stopped before the answer began)" : "(stopped)", .dim)
        } else if let cut = outcome.cut {
            say("(\(cut))\(goesOn)", .dim)
        } else if !outcome.response.refusal.isEmpty {
            say("(the model refused)", .dim)
        } else if outcome.response.content.isEmpty {
            say("(the answer is empty)", .dim)
        }
        keep()
        if let signal = service.relay.last, signal != SIGINT { throw Interruption(signal: signal) }
    }

    /// Shows a message of the program, as opposed to the model.
    func say(_ text: String, _ style: TextStyle = []) {
        var line = StyledText(columns: form == .exact ? nil : ChatTerminal.columns)
        line.append(text, form == .rendered ? style : [])
        let isForProgram = form == .exact || form == .silent
        writeAll(line.takeLast() + "\n", to: isForProgram ? STDERR_FILENO : STDOUT_FILENO)
    }
}
