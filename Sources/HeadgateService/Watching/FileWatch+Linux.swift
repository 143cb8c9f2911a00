import Glibc
import HeadgateEventLoop
import HeadgateNetwork

/// Notices that files have changed: written in place, replaced by a rename, or reached by another symbolic link.
///
/// The kernel tells of the folders around them (inotify(7)); whether a file is another one than before is then looked
/// at. Belongs to the main thread, but for the events, which are the loop's.
final class FileWatch {
    /// How long nothing may happen until somebody is told: whoever writes several files is done by then.
    private static let quiet: UInt64 = 250_000_000
    /// How long somebody who goes on and on is waited for.
    private static let patience: UInt64 = 2_000_000_000
    /// How long a file that was written to and not closed is taken for half written.
    private static let longestWrite: UInt64 = 5_000_000_000

    private final class Events {
        let descriptor: Int32
        var read: SocketEvent?
        var timer: LoopTimer?
        var first: UInt64?
        /// When one of the files was written to last: what happens to others of its folder is no news of it.
        var lastModified: UInt64 = 0
        var files = FileEvents()

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// Takes all that has been told until now. What it is, is looked at when nothing more comes.
        func drain(_ now: UInt64) {
            var matters = false
            let known = files.modifications
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                while case let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                    if files.take(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { matters = true }
                }
            }
            guard matters else { return }
            if files.modifications != known { lastModified = now }
            let first = first ?? now
            self.first = first
            timer?.schedule(at: min(now + FileWatch.quiet, first + FileWatch.patience))
        }

        /// - Returns: whether it is time to look at the files.
        func isTime(_ now: UInt64) -> Bool {
            if files.isUnfinished, now < lastModified + FileWatch.longestWrite {
                timer?.schedule(at: lastModified + FileWatch.longestWrite)
                return false
            }
            files.giveUpWaiting()
            first = nil
            return true
        }
    }

    private let descriptor: Int32
    private let events: LoopBound<Events>
    private var watched: [String: Int32] = [:]
    private var states: [String: FileState] = [:]
    /// Whether the files have to be read although they are those of the last call.
    private var isUnread = false

    /// Nothing is watched before ``watch(_:since:)``.
    ///
    /// - Parameter told: called on the loop, some time after something has happened around the files.
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

    /// Watches the configuration file and those that it names; what happens around them is asked of the main thread.
    ///
    /// - Parameters:
    ///   - file: the configuration file.
    ///   - sightings: what it and the files that it names were before they were read.
    /// - Throws: ``Complaint``.
    convenience init(
        _ file: String, since sightings: FileSightings, loop: EventLoop, _ control: ControlQueue
    ) throws {
        try self.init(loop: loop) { control.post(.files) }
        if let failure = watch(file, since: sightings) {
            throw Complaint("--watch: \(failure)", exitCode: .system)
        }
        // One may have been changed since it was read.
        control.post(.files)
    }

    /// Watches these files in place of those before. Whoever calls it looks afterwards whether they
    /// ``haveChanged()``: before the folders are watched nobody tells of it.
    ///
    /// - Parameters:
    ///   - file: the configuration file, also where it could not be read.
    ///   - sightings: what the files were before they were read, which a change is measured against.
    /// - Returns: why a folder cannot be watched, if one cannot.
    func watch(_ file: String, since sightings: FileSightings) -> String? {
        let state = states[file] ?? FileState(file)
        states = sightings.all.merging([file: state]) { seen, _ in seen }
        return arm()
    }

    /// Whether one of the files is another one than at the last call, or than when its watch began.
    func haveChanged() -> Bool {
        // Before the look at the files, so that nothing falls in between.
        _ = arm()
        let now = Dictionary(uniqueKeysWithValues: states.keys.map { ($0, FileState($0)) })
        defer { (states, isUnread) = (now, false) }
        return isUnread || now != states
    }

    /// How much has been written to the files so far: to be asked before they are read, for ``wereWhole(since:)``.
    func writes() -> Int { drained().writes }

    /// Whether no file was being written while they were read. Where one was, they ``haveChanged()`` once more when
    /// that is over, and the loop is told then.
    func wereWhole(since writes: Int) -> Bool {
        let files = drained()
        isUnread = files.isUnfinished || files.writes != writes
        return !isUnread
    }

    /// The kernel has told of a write before whoever wrote goes on: what it has not told of by now has not happened.
    private func drained() -> FileEvents {
        let events = events
        let files = try? events.loop.performAndWait {
            events.value.drain(events.loop.now)
            return events.value.files
        }
        return files ?? FileEvents()
    }

    /// To be called once, before the loop is stopped.
    func close() {
        let events = events
        try? events.loop.performAndWait {
            events.value.read = nil
            events.value.timer = nil
        }
        Glibc.close(descriptor)
    }

    /// Watches the folders that count now: a link may lead elsewhere than before, and a folder be a new one.
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
