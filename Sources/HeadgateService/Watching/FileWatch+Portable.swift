import HeadgateEventLoop
import HeadgateNetwork

/// Detects changes of files by comparing them every second. Belongs to the main thread.
final class FileWatch {
    private static let pause: UInt64 = 1_000_000_000

    private final class Clock {
        var timer: LoopTimer?
    }

    private let clock: LoopBound<Clock>
    private var states: [String: FileState] = [:]
    /// States of the files when reading began.
    private var before: [String: FileState] = [:]
    /// Whether the files must be read even if they have not changed since the last call.
    private var isUnread = false

    /// Watches the configuration file and the files that it names. Every second, the main thread is asked to compare
    /// them.
    ///
    /// - Parameters:
    ///   - file: the configuration file.
    ///   - sightings: the states of the files before they were read.
    /// - Throws: ``Complaint``.
    init(_ file: String, since sightings: FileSightings, loop: EventLoop, _ control: ControlQueue) throws {
        clock = try loop.performAndWait {
            let clock = Clock()
            clock.timer = LoopTimer(loop: loop) { [unowned clock] in
                control.post(.files)
                clock.timer?.schedule(at: loop.now + FileWatch.pause)
            }
            clock.timer?.schedule(at: loop.now + FileWatch.pause)
            return LoopBound(clock, on: loop)
        }
        _ = watch(file, since: sightings)
    }

    /// Watches these files instead of the previous ones.
    ///
    /// - Returns: nil, since every file can be compared.
    func watch(_ file: String, since sightings: FileSightings) -> String? {
        let state = states[file] ?? FileState(file)
        states = sightings.all.merging([file: state]) { seen, _ in seen }
        return nil
    }

    /// Returns whether any file has changed since the last call, or since its watch began.
    func haveChanged() -> Bool {
        let now = current
        defer { (states, isUnread) = (now, false) }
        return isUnread || now != states
    }

    /// Records the states of the files. Called before they are read, for ``wereWhole(since:)``.
    func writes() -> Int {
        before = current
        return 0
    }

    /// Returns whether no file was written while the files were read. If one was, ``haveChanged()`` is true again.
    func wereWhole(since _: Int) -> Bool {
        isUnread = current != before
        return !isUnread
    }

    /// Ends the watch. Must be called once, before the loop is stopped.
    func close() {
        let clock = clock
        try? clock.loop.performAndWait { clock.value.timer = nil }
    }

    private var current: [String: FileState] {
        Dictionary(uniqueKeysWithValues: states.keys.map { ($0, FileState($0)) })
    }
}
