import HeadgateClient
import HeadgateLibC
import HeadgateTerminal

/// Form in which replies are written to standard output.
enum ResponseForm: Sendable {
    /// For a terminal with styles: Markdown is rendered, and reasoning is dim.
    case rendered
    /// For a terminal without styles: Markdown is unchanged, without control characters.
    case plain
    /// For a program: exactly the bytes of the reply.
    case exact
    /// No display, for callers that want the whole reply.
    case silent
}

/// Writes a reply to standard output as it grows.
struct ResponseDisplay {
    private let form: ResponseForm
    private var markdown = MarkdownStream()
    private var plain = PlainStream()
    /// Text before the reply, or instead of it: the model's reasoning or its refusal.
    private var aside = StyledText()
    /// Bytes written so far.
    private var reasoningCount = 0
    private var contentCount = 0
    private var refusalCount = 0
    private var endsLine = true

    /// - Parameter earlier: Beginning of the reply, if it was shown before.
    init(_ form: ResponseForm, behind earlier: String = "") {
        self.form = form
        guard !earlier.isEmpty else { return }
        (markdown.columns, plain.columns) = (ChatTerminal.columns, ChatTerminal.columns)
        markdown.resume(after: earlier)
        plain.resume(after: earlier)
    }

    /// Writes the new part of a response.
    ///
    /// - Returns: False if the reader has closed standard output.
    mutating func show(_ response: ChatResponse) -> Bool {
        var text = ""
        let columns = ChatTerminal.columns
        (markdown.columns, plain.columns, aside.columns) = (columns, columns, columns)
        if response.reasoning.utf8.count > reasoningCount {
            text += show(aside: news(in: response.reasoning, &reasoningCount), .dim)
        }
        if response.content.utf8.count > contentCount {
            if refusalCount > 0 { text += aside.takeLast() } else if contentCount == 0 { text += endReasoning() }
            let new = news(in: response.content, &contentCount)
            switch form {
            case .rendered: text += markdown.feed(new)
            case .plain: text += plain.feed(new)
            case .exact: text += new
            case .silent: break
            }
        }
        if response.refusal.utf8.count > refusalCount {
            if refusalCount == 0 { text += endContent() + (contentCount > 0 && isForPeople ? "\n\n" : "") }
            text += show(aside: news(in: response.refusal, &refusalCount), [])
        }
        return write(text)
    }

    /// Writes the held text. On a terminal, the cursor is on a new line afterwards.
    mutating func end() {
        let text = refusalCount == 0 ? endContent() : aside.takeLast() + (contentCount > 0 ? endContent() : "")
        _ = write(text)
        if form != .silent, !endsLine { _ = write("\n") }
    }

    private func news(in text: String, _ count: inout Int) -> String {
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: count)
        count = text.utf8.count
        return String(text[start...])
    }

    private mutating func show(aside new: String, _ style: TextStyle) -> String {
        guard isForPeople else { return "" }
        aside.append(new, form == .rendered ? style : [])
        return aside.take()
    }

    private var isForPeople: Bool { form == .rendered || form == .plain }

    /// Returns the end of the reasoning, with a blank line before the reply.
    private mutating func endReasoning() -> String {
        guard reasoningCount > 0, isForPeople else { return "" }
        reasoningCount = .max
        aside.append("\n\n")
        return aside.takeLast()
    }

    /// Returns the held text.
    private mutating func endContent() -> String {
        if contentCount == 0 { return endReasoning() }
        return form == .rendered ? markdown.finish() : plain.finish()
    }

    private mutating func write(_ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        // The end of a style follows the end of its line.
        let plain = TextStyle().sequence.utf8
        let shown =
            text.utf8.suffix(plain.count).elementsEqual(plain) ? text.utf8.dropLast(plain.count) : text.utf8[...]
        if let last = shown.last { endsLine = last == 0x0A }
        return writeAll(text, to: STDOUT_FILENO)
    }
}

/// Writes a whole text, and waits if the descriptor is not ready.
///
/// - Returns: False if the other end is closed.
@discardableResult func writeAll(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let count = HeadgateLibC.write(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno == EAGAIN {
                // Another process that shares the terminal can make it non-blocking.
                var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&event, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
