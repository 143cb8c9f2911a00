internal import CHeadgate
internal import HeadgateLibC
internal import Synchronization

/// Socket for notices to the service manager, one datagram each.
///
/// The socket is open from the start, so that a process without a free descriptor can still report that it is alive.
package final class NotificationSocket: Sendable {
    private let address: String
    private let descriptor: Int32
    private let isOver = Atomic<Bool>(false)
    private static let sendTimeoutMilliseconds: Int32 = 100

    /// - Parameter address: an absolute path, or `@` and an abstract name.
    /// - Returns: nil if the process has no descriptor left.
    package init?(address: String) {
        descriptor = headgate_datagram_socket(Self.sendTimeoutMilliseconds)
        guard descriptor >= 0 else { return nil }
        self.address = address
    }

    deinit { close(descriptor) }

    /// Sends a notice. Can be called from any thread; waits at most 100 ms for a slow manager.
    ///
    /// - Returns: 0, or the errno with which the notice was lost.
    @discardableResult
    package func send(_ notice: ServiceNotice) -> Int32 {
        // The manager would take later notices for those of the process that is the main one now.
        guard !isOver.load(ordering: .sequentiallyConsistent) else { return 0 }
        if case .mainProcess = notice { isOver.store(true, ordering: .sequentiallyConsistent) }
        let bytes = Array(notice.text.utf8)
        return -headgate_send_datagram(descriptor, address, bytes, bytes.count)
    }
}

/// Notification to the service manager, in the format of sd_notify(3).
package enum ServiceNotice: Sendable, Equatable {
    /// A start or a reload has ended. A failed reload has changed nothing.
    case ready
    /// A reload began at this time of CLOCK_MONOTONIC; ``ready`` ends it.
    case reloading(monotonicNanoseconds: UInt64)
    case stopping
    /// Another process of the service is the main one from now on. Later notices of this process are not sent.
    case mainProcess(Int32)
    /// The process is alive.
    case watchdog

    package var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading(let nanoseconds): "RELOADING=1\nMONOTONIC_USEC=\(nanoseconds / 1000)"
        case .stopping: "STOPPING=1"
        // Its own first notice of the watchdog can come too late, since the last one of this process has been sent.
        case .mainProcess(let process): "MAINPID=\(process)\nWATCHDOG=1"
        case .watchdog: "WATCHDOG=1"
        }
    }
}
