internal import CHeadgate
internal import Glibc

/// Wakes a thread that waits for a descriptor, too.
final class WakeUp: Sendable {
    private let event: Int32

    init() { event = headgate_wakeup_create() }

    deinit { if event >= 0 { close(event) } }

    func raise() { headgate_wakeup_signal(event) }

    /// - Parameter descriptor: is waited for as well, until it can be read; nil for none.
    func wait(for descriptor: Int32? = nil, atMost limit: Duration) {
        var entries = [
            pollfd(fd: event, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        // A descriptor below 0 is left out.
        _ = poll(&entries, 2, Int32(clamping: Int64((limit / .milliseconds(1)).rounded(.up))))
        if entries[0].revents != 0 { headgate_wakeup_clear(event) }
    }
}
