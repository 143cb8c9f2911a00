import CHeadgate
import HeadgateEventLoop
import HeadgateLibC
import HeadgatePrimitives

/// Standard input as characters, for a thread that can block. Signals, which arrive on other threads, interrupt the
/// wait.
final class TerminalInput: Sendable {
    enum Event: Equatable {
        case character(Unicode.Scalar)
        case end
        /// The size of the terminal changed.
        case resized
        /// Ctrl-C arrived as a signal.
        case cleared
        /// A signal arrived that ends the conversation.
        case interrupted
    }

    fileprivate struct State: Sendable {
        var news: [Event] = []
        /// Bytes read, and the offset of the next character.
        var bytes: [UInt8] = []
        var offset = 0
    }

    private let state = Locked(State())
    private let wakeUp: headgate_wakeup

    init() { wakeUp = headgate_wakeup_create() }

    deinit { headgate_wakeup_destroy(wakeUp) }

    /// Ends a wait. Can be called from any thread.
    func tell(_ event: Event) {
        state.withLock { $0.news.append(event) }
        headgate_wakeup_signal(wakeUp)
    }

    /// Discards events that have not been read. Typed characters stay.
    func forget() {
        headgate_wakeup_clear(wakeUp)
        state.withLock { $0.news = [] }
    }

    /// Discards typed characters that have not been read, as a terminal does on Ctrl-C with those it still has.
    func forgetTyped() { state.withLock { ($0.bytes, $0.offset) = ([], 0) } }

    /// Waits for the next event. Must be called from one thread only.
    func next() -> Event {
        while true {
            if let event = state.withLock({ $0.take() }) { return event }
            var events = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.reading, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&events, 2, -1) >= 0 else {
                if errno == EINTR { continue }
                return .end
            }
            if events[1].revents != 0 {
                headgate_wakeup_clear(wakeUp)
                continue
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return .end }
            state.withLock { $0.bytes += buffer[..<count] }
        }
    }
}

extension TerminalInput.State {
    fileprivate mutating func take() -> TerminalInput.Event? {
        if !news.isEmpty { return news.removeFirst() }
        guard offset < bytes.count else { return nil }
        // An incomplete character waits for its remaining bytes.
        let length = min(4, max(1, (~bytes[offset]).leadingZeroBitCount))
        guard bytes.count - offset >= length else { return nil }
        let text = String(decoding: bytes[offset..<offset + length], as: UTF8.self).unicodeScalars
        // In an invalid character, one byte is skipped.
        let isCharacter = text.count == 1 && text.first != "\u{FFFD}"
        offset += isCharacter ? length : 1
        if offset == bytes.count { (bytes, offset) = ([], 0) }
        return .character(isCharacter ? text[text.startIndex] : "\u{FFFD}")
    }
}
