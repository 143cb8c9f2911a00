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
    /// Prompts by the ids of the entries in the transcript.
    var prompts: [Int: ChatPrompt] = [:]
    /// How answers came about, by the same.
    var outcomes: [Int: ChatOutcome] = [:]
    /// All since the conversation began.
    var usage = ConversationUsage()
    var lastPrompt: ChatPrompt?
    /// The entry of what came of it; nil when nothing did.
    var lastResponse: Int?
    /// Files that go with the next prompt.
    var files: [AttachedFile] = []
    /// Stored conversation for later chats; nil if it is not stored.
    var record: ConversationRecord?
    /// The conversations as they were listed last.
    var listed: [KeptConversations.Entry] = []
    var deleted = DeletedConversations()
    /// Files that this conversation wrote, and may write again.
    var savedFiles: Set<String> = []
    /// Model names of the gateway, once requested.
    var modelNames: [String]?
    let form: ResponseForm
    private let history: ChatHistory?
    private let input = TerminalInput()
    /// Source of typed prompts, once the conversation has begun.
    private var source: (any PromptSource)?

    /// - Parameter keeps: whether prompts and conversations are stored for later chats.
    init(_ session: ChatSession, service: ChatService, form: ResponseForm, keeps: Bool) {
        self.session = session
        self.service = service
        self.form = form
        history = keeps ? ChatHistory() : nil
        record = keeps ? KeptConversations().map { ConversationRecord($0) } : nil
    }

    /// Talks until the person leaves.
    ///
    /// - Returns: the exit code.
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

    /// Lets the person find a prompt again, here and in later chats.
    func remember(_ text: String) {
        guard !text.allSatisfy(\.isWhitespace) else { return }
        source?.remember(text)
        history?.add(text)
    }

    /// Asks a question that only `y` or `yes` agrees to.
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

    /// - Returns: false to leave.
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

    /// Asks, and shows the answer.
    func take(_ prompt: ChatPrompt) -> ChatOutcome {
        lastPrompt = prompt
        let known = session.transcript.count
        let outcome = service.ask(session, prompt.content, form: form)
        let new = session.transcript.dropFirst(known)
        if let question = new.first { prompts[question.id] = prompt }
        // Nothing is stored of a reply that never began.
        lastResponse = new.last?.id
        if let lastResponse { outcomes[lastResponse] = outcome }
        return outcome
    }

    /// Reports the end of a reply, and stores the conversation.
    ///
    /// - Throws: as ``ask(_:)`` does.
    func note(_ outcome: ChatOutcome) throws {
        usage.add(outcome)
        let goesOn = outcome.mayGoOn ? " /continue lets it go on." : ""
        if let failure = outcome.failure {
            say("\(failure)\(goesOn) /retry asks again.", .alarming)
        } else if outcome.isStopped {
            // Overwrites the ^C that the terminal has echoed, if it is alone on the line.
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

    /// Says something about the conversation, apart from what the model says.
    func say(_ text: String, _ style: TextStyle = []) {
        var line = StyledText(columns: form == .exact ? nil : ChatTerminal.columns)
        line.append(text, form == .rendered ? style : [])
        let isForProgram = form == .exact || form == .silent
        writeAll(line.takeLast() + "\n", to: isForProgram ? STDERR_FILENO : STDOUT_FILENO)
    }
}
