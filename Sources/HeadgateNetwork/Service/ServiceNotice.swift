/// What a process tells its service manager, as sd_notify(3) writes it.
package enum ServiceNotice: Sendable, Equatable {
    /// Start-up, or a reload, has ended well or has changed nothing.
    case ready
    /// CLOCK_MONOTONIC at the begin of the reload; ``ready`` ends it.
    case reloading(monotonicNanoseconds: UInt64)
    case stopping
    /// A sign of life.
    case watchdog

    package var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading(let nanoseconds): "RELOADING=1\nMONOTONIC_USEC=\(nanoseconds / 1000)"
        case .stopping: "STOPPING=1"
        case .watchdog: "WATCHDOG=1"
        }
    }
}
