internal import CHeadgate
internal import HeadgateLibC
internal import Synchronization

/// The way to the service manager: one datagram for each notice.
///
/// The socket is open from the start, so that a process without a free descriptor can still give a sign of life.
package final class NotificationSocket: Sendable {
    private let address: String
    private let descriptor: Int32
    private let isOver = Atomic<Bool>(false)
    private static let sendTimeoutMilliseconds: Int32 = 100

    /// - Parameter address: an absolute path, or `@` and an abstract name.
    /// - Returns: nil when the process has no descriptor left.
    package init?(address: String) {
        descriptor = headgate_datagram_socket(Self.sendTimeoutMilliseconds)
        guard descriptor >= 0 else { return nil }
        self.address = address
    }

    deinit { close(descriptor) }

    /// From any thread; waits at most 100 ms for a manager that is behind.
    ///
    /// - Returns: 0, or the errno with which the notice was lost.
    @discardableResult
    package func send(_ notice: ServiceNotice) -> Int32 {
        // The manager would take them for notices of the process that is its main one now.
        guard !isOver.load(ordering: .sequentiallyConsistent) else { return 0 }
        if case .mainProcess = notice { isOver.store(true, ordering: .sequentiallyConsistent) }
        let bytes = Array(notice.text.utf8)
        return -headgate_send_datagram(descriptor, address, bytes, bytes.count)
    }
}

/// Notification to the service manager, in the format of sd_notify(3).
package enum ServiceNotice: Sendable, Equatable {
    /// Start-up, or a reload, has ended well or has changed nothing.
    case ready
    /// CLOCK_MONOTONIC at the begin of the reload; ``ready`` ends it.
    case reloading(monotonicNanoseconds: UInt64)
    case stopping
    /// Another process of the service is its main one from now on. Further notices of this one are not sent.
    case mainProcess(Int32)
    /// A sign of life.
    case watchdog

    package var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading(let nanoseconds): "RELOADING=1\nMONOTONIC_USEC=\(nanoseconds / 1000)"
        case .stopping: "STOPPING=1"
        case .mainProcess(let process): "MAINPID=\(process)"
        case .watchdog: "WATCHDOG=1"
        }
    }
}
