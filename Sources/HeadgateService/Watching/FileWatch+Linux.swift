import HeadgateEventLoop
import HeadgateLibC
import HeadgateNetwork

/// Detects changes of files: written in place, replaced by a rename, or reached by another symbolic link.
///
/// The kernel reports events in the folders around them (inotify(7)), after which the files are compared. Belongs to
/// the main thread, except for the events, which belong to the loop.
final class FileWatch {
    /// Nanoseconds without events before a change is reported, so that several files can be written.
    private static let quiet: UInt64 = 250_000_000
    /// Maximum nanoseconds to wait for writes that continue.
    private static let patience: UInt64 = 2_000_000_000
    /// Nanoseconds for which a file that was written and not closed counts as half written.
    private static let longestWrite: UInt64 = 5_000_000_000

    private final class Events {
        let descriptor: Int32
        var read: SocketEvent?
        var timer: LoopTimer?
        var first: UInt64?
        /// Time of the last write to one of the files; events of other files in the folder do not count.
        var lastModified: UInt64 = 0
        var files = FileEvents()

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// Reads all pending events. Files are compared when no more arrive.
        func drain(_ now: UInt64) {
            var matters = false
            let known = files.modifications
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                while case let count = HeadgateLibC.read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                    if files.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { matters = true }
                }
            }
            guard matters else { return }
            if files.modifications != known { lastModified = now }
            let first = first ?? now
            self.first = first
            timer?.schedule(at: min(now + FileWatch.quiet, first + FileWatch.patience))
        }

        /// - Returns: whether the files can be compared now.
        func isTime(_ now: UInt64) -> Bool {
            if files.isUnfinished, now < lastModified + FileWatch.longestWrite {
                timer?.schedule(at: lastModified + FileWatch.longestWrite)
                return false
            }
            files.forgetUnfinished()
            first = nil
            return true
        }
    }

    private let descriptor: Int32
    private let events: LoopBound<Events>
    private var watched: [String: Int32] = [:]
    private var states: [String: FileState] = [:]
    /// Whether the files must be read even if they have not changed since the last call.
    private var isUnread = false

    /// Creates a watch, which begins with ``watch(_:since:)``.
    ///
    /// - Parameter told: called on the loop, a short time after an event near the files.
    /// - Throws: ``Complaint``.
    init(loop: EventLoop, told: @escaping @Sendable () -> Void) throws {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else {
            throw Complaint(
                "--watch: no file can be watched (\(systemErrorText(errno))): see fs.inotify in sysctl",
                exitCode: .system)
        }
        self.descriptor = descriptor
        events = try loop.performAndWait {
            let events = Events(descriptor)
            events.timer = LoopTimer(loop: loop) { [unowned events] in
                if events.isTime(loop.now) { told() }
            }
            events.read = SocketEvent(loop: loop, descriptor: descriptor, kind: .read) { [unowned events] in
                events.drain(loop.now)
            }
            events.read?.add()
            return LoopBound(events, on: loop)
        }
    }

    /// Watches the configuration file and the files that it names. Changes are posted to the main thread.
    ///
    /// - Parameters:
    ///   - file: the configuration file.
    ///   - sightings: the states of the files before they were read.
    /// - Throws: ``Complaint``.
    convenience init(
        _ file: String, since sightings: FileSightings, loop: EventLoop, _ control: ControlQueue
    ) throws {
        try self.init(loop: loop) { control.post(.files) }
        if let failure = watch(file, since: sightings) {
            throw Complaint("--watch: \(failure)", exitCode: .system)
        }
        // A file might have changed since it was read.
        control.post(.files)
    }

    /// Watches these files instead of the previous ones. The caller must check ``haveChanged()`` afterwards, since
    /// earlier changes are not reported.
    ///
    /// - Parameters:
    ///   - file: the configuration file, even if it could not be read.
    ///   - sightings: the states of the files before they were read, with which they are compared.
    /// - Returns: the reason why a folder cannot be watched; nil if all are watched.
    func watch(_ file: String, since sightings: FileSightings) -> String? {
        let state = states[file] ?? FileState(file)
        states = sightings.all.merging([file: state]) { seen, _ in seen }
        return arm()
    }

    /// Returns whether any file has changed since the last call, or since its watch began.
    func haveChanged() -> Bool {
        // The folders are watched before the files are compared, so that no change is missed.
        _ = arm()
        let now = Dictionary(uniqueKeysWithValues: states.keys.map { ($0, FileState($0)) })
        defer { (states, isUnread) = (now, false) }
        return isUnread || now != states
    }

    /// Returns the number of writes to the files so far. Called before they are read, for ``wereWhole(since:)``.
    func writes() -> Int { drained().writes }

    /// Returns whether no file was being written while the files were read. If one was, ``haveChanged()`` is true again
    /// after the write, and the loop is notified.
    func wereWhole(since writes: Int) -> Bool {
        let files = drained()
        isUnread = files.isUnfinished || files.writes != writes
        return !isUnread
    }

    /// Returns the events so far. The kernel reports a write before the writer continues, so there are no unreported
    /// ones.
    private func drained() -> FileEvents {
        let events = events
        let files = try? events.loop.performAndWait {
            events.value.drain(events.loop.now)
            return events.value.files
        }
        return files ?? FileEvents()
    }

    /// Ends the watch. Must be called once, before the loop is stopped.
    func close() {
        let events = events
        try? events.loop.performAndWait {
            events.value.read = nil
            events.value.timer = nil
        }
        HeadgateLibC.close(descriptor)
    }

    /// Watches the current folders of the files: a link can have another target now, and a folder can be a new one.
    private func arm() -> String? {
        var failure: String?
        var wanted: [String: Int32] = [:]
        let what =
            IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB
            | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
        let (events, names) = (events, Set(states.keys.flatMap(WatchedPath.names)))
        try? events.loop.performAndWait { events.value.files.names = names }
        for folder in Set(states.keys.flatMap(WatchedPath.folders)) {
            let watch = inotify_add_watch(descriptor, folder, UInt32(what))
            if watch >= 0 {
                wanted[folder] = watch
            } else if failure == nil {
                failure = "the folder \(folder) cannot be watched: \(systemErrorText(errno))"
            }
        }
        for watch in Set(watched.values).subtracting(wanted.values) { inotify_rm_watch(descriptor, watch) }
        watched = wanted
        return failure
    }
}
