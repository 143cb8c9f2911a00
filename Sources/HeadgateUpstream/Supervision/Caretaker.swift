internal import CHeadgate
internal import HeadgateLibC

/// A small process that cleans up when ours ends without having done so, such as by SIGKILL. Dismissed with the last
/// reference to it.
///
/// Optional: when it cannot be started, there is none.
final class Caretaker: Sendable {
    private let process: headgate_caretaker

    /// Ends a process group, of which it becomes a member.
    convenience init?(ofGroup group: pid_t) { self.init(group: group, paths: []) }

    /// Removes files and folders, in this order; a folder must be empty by then.
    convenience init?(ofPaths paths: [String]) { self.init(group: 0, paths: paths) }

    private init?(group: pid_t, paths: [String]) {
        var process = headgate_caretaker()
        guard withCStrings(paths, { headgate_caretaker_start(group, $0, &process) }) == 0 else { return nil }
        self.process = process
    }

    deinit { withUnsafePointer(to: process) { headgate_caretaker_dismiss($0) } }
}
