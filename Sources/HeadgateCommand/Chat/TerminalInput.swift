import CHeadgate
import HeadgateEventLoop
import HeadgateLibC
import HeadgatePrimitives

/// Standard input as characters, for a thread that may wait for it. Signals, which arrive elsewhere, interrupt the
/// wait.
final class TerminalInput: Sendable {
    enum Event: Equatable {
        case character(Unicode.Scalar)
        case end
        /// The terminal has another size.
        case resized
        /// Ctrl-C as a signal.
        case cleared
        /// A signal that ends the conversation.
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

    /// Ends a wait. From any thread.
    func tell(_ event: Event) {
        state.withLock { $0.news.append(event) }
        headgate_wakeup_signal(wakeUp)
    }

    /// Discards input that was typed ahead.
    func forget() {
        headgate_wakeup_clear(wakeUp)
        state.withLock { $0.news = [] }
    }

    /// The next thing that happens. For one thread.
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
        // A character that has not come whole waits for its rest.
        let length = min(4, max(1, (~bytes[offset]).leadingZeroBitCount))
        guard bytes.count - offset >= length else { return nil }
        let text = String(decoding: bytes[offset..<offset + length], as: UTF8.self).unicodeScalars
        // One byte of an invalid character is skipped.
        let isCharacter = text.count == 1 && text.first != "\u{FFFD}"
        offset += isCharacter ? length : 1
        if offset == bytes.count { (bytes, offset) = ([], 0) }
        return .character(isCharacter ? text[text.startIndex] : "\u{FFFD}")
    }
}
