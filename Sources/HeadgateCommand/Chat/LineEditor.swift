import CLibedit
import HeadgateLibC
import HeadgateTerminal

/// Edits terminal lines with libedit. Supports a history, completion, and text of several lines that is pasted or typed
/// with Alt-Enter.
///
/// Belongs to the main thread.
final class LineEditor: PromptSource {
    private static let historySize: Int32 = 1000
    /// Marks the start and the end of characters without width.
    private static let invisible: CChar = 1

    private let line: OpaquePointer
    private let history: OpaquePointer
    private let input: TerminalInput
    private let complete: (String) -> [String]
    /// Whether the user's settings select vi mode. No key may begin with Escape then, as Alt-Enter and the marks of a
    /// paste do.
    private let isVi: Bool
    private var prompt = strdup("")
    /// Names of this editor's functions for libedit, which stores the pointers.
    private var functionNames: [UnsafeMutableBufferPointer<wchar_t>] = []
    private var wasCleared = false

    /// - Parameter complete: Returns the completions for the last word of a line.
    /// - Returns: Nil if the terminal is unknown.
    init?(_ input: TerminalInput, history prompts: [String], complete: @escaping (String) -> [String]) {
        guard let line = headgate_edit_init("headgate"), let history = history_init() else { return nil }
        headgate_edit_use_emacs(line)
        // Reads the user's settings, editrc(5).
        el_source(line, nil)
        isVi = headgate_edit_is_vi(line)
        self.line = line
        self.history = history
        self.input = input
        self.complete = complete
        headgate_edit_set_context(line, Unmanaged.passUnretained(self).toOpaque())
        headgate_edit_set_prompt(line, { LineEditor.of($0).prompt }, LineEditor.invisible)
        headgate_edit_set_reader(line) { line, character in LineEditor.of(line).readCharacter(character) }
        // As characters, signals arrive in order with all other input.
        headgate_edit_disable_signals(line)
        bind("^C", "headgate-clear") { line, _ in LineEditor.of(line).clear() }
        bind("^Z", "headgate-suspend") { line, _ in LineEditor.of(line).suspend() }
        bind("^I", "headgate-complete") { line, _ in LineEditor.of(line).completeWord() }
        if !isVi {
            bind("\\e\\r", "headgate-newline") { line, _ in LineEditor.of(line).insert("\n") }
            bind("\\e\\n", "headgate-newline") { line, _ in LineEditor.of(line).insert("\n") }
            bind("\\e[200~", "headgate-paste") { line, _ in LineEditor.of(line).paste() }
            headgate_edit_bind(line, "^R", "em-inc-search-prev")
        }
        headgate_history_set_size(history, LineEditor.historySize)
        for prompt in prompts { headgate_history_add(history, prompt) }
        headgate_edit_use_history(line, history)
    }

    deinit {
        el_end(line)
        history_end(history)
        free(prompt)
        for name in functionNames { name.deallocate() }
    }

    private func bind(_ key: String, _ name: String, _ function: headgate_edit_function) {
        let characters = name.unicodeScalars.map { wchar_t(bitPattern: $0.value) } + [0]
        let kept = UnsafeMutableBufferPointer<wchar_t>.allocate(capacity: characters.count)
        _ = kept.initialize(from: characters)
        functionNames.append(kept)
        headgate_edit_add_function(line, kept.baseAddress, function)
        headgate_edit_bind(line, key, name)
    }

    func read(prompt text: String) -> TypedLine {
        free(prompt)
        let mark = String(UnicodeScalar(UInt8(LineEditor.invisible)))
        let (bold, plain) = (TextStyle.bold.sequence, TextStyle().sequence)
        // libedit shows characters without width together with the next character.
        prompt = strdup("\(mark)\(bold)\(mark)\(text)\(mark)\(plain)\(mark) ")
        wasCleared = false
        // From here on, the terminal marks where a paste begins and ends.
        if !isVi { writeAll("\u{1B}[?2004h", to: STDOUT_FILENO) }
        defer { if !isVi { writeAll("\u{1B}[?2004l", to: STDOUT_FILENO) } }
        // The terminal is prepared before the prompt is shown, so that text typed at once is not echoed twice.
        headgate_edit_prepare_terminal(line, 1)
        var count: Int32 = 0
        let typed = el_gets(line, &count)
        if wasCleared { return .cleared }
        guard let typed else { return .end }
        var text = String(cString: typed)
        guard text.last?.isNewline == true else { return .end }
        text.removeLast()
        return .line(text)
    }

    func remember(_ text: String) { headgate_history_add(history, text) }

    // MARK: Called by libedit

    private static func of(_ line: OpaquePointer?) -> LineEditor {
        guard let line, let context = headgate_edit_context(line) else { preconditionFailure("no editor") }
        return Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
    }

    private func readCharacter(_ character: UnsafeMutablePointer<wchar_t>?) -> Int32 {
        while true {
            switch input.next() {
            case .character(let scalar):
                character?.pointee = wchar_t(bitPattern: scalar.value)
                return 1
            case .cleared:
                character?.pointee = 3
                return 1
            case .end, .interrupted: return 0
            case .resized:
                el_resize(line)
                redraw()
            }
        }
    }

    private func insert(_ text: String) -> UInt8 {
        el_insertstr(line, text) == 0 ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
    }

    private func clear() -> UInt8 {
        wasCleared = true
        // Ends the line like the Enter key, after all typed text.
        el_cursor(line, Int32.max / 2)
        el_push(line, "\r")
        return insert("^C")
    }

    private func suspend() -> UInt8 {
        headgate_edit_prepare_terminal(line, 0)
        kill(getpid(), SIGTSTP)
        // Another program might have changed the terminal's settings.
        headgate_edit_prepare_terminal(line, 1)
        redraw()
        return UInt8(CC_NORM)
    }

    /// Redraws the line from the current row.
    private func redraw() {
        writeAll("\r\u{1B}[J", to: STDOUT_FILENO)
        headgate_edit_refresh(line)
    }

    private func paste() -> UInt8 {
        let end = Array("\u{1B}[201~".unicodeScalars)
        var pasted: [Unicode.Scalar] = []
        while !pasted.suffix(end.count).elementsEqual(end) {
            guard case .character(let scalar) = input.next() else { return UInt8(CC_EOF) }
            pasted.append(scalar)
        }
        var text = String.UnicodeScalarView()
        for scalar in pasted.dropLast(end.count) { text.append(scalar == "\r" ? "\n" : scalar) }
        return insert(Neutralised.text(String(text)))
    }

    private func completeWord() -> UInt8 {
        guard let typed = el_line(line)?.pointee, let start = typed.buffer, let cursor = typed.cursor else {
            return UInt8(CC_ERROR)
        }
        let before = String(decoding: UnsafeRawBufferPointer(start: start, count: cursor - start), as: UTF8.self)
        let candidates = complete(before)
        guard let first = candidates.first else { return UInt8(CC_REFRESH_BEEP) }
        let word = before.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
        // A completed folder can be continued, so no space follows it.
        if candidates.count == 1 { return insert(first.dropFirst(word.count) + (first.hasSuffix("/") ? "" : " ")) }
        let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        if common.count > word.count { return insert(String(common.dropFirst(word.count))) }
        writeAll("\n" + Neutralised.line(candidates.joined(separator: "  ")) + "\n", to: STDOUT_FILENO)
        return UInt8(CC_REDISPLAY)
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
