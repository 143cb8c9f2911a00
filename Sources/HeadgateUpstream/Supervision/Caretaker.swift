internal import CHeadgate
internal import HeadgateLibC

/// Small process that cleans up if this process ends without doing so, such as by SIGKILL. It is dismissed with the
/// last reference to this object.
///
/// A caretaker is optional: if it cannot be started, there is none.
final class Caretaker: Sendable {
    private let process: headgate_caretaker

    /// Ends a process group, of which the caretaker becomes a member.
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
