import HeadgateEventLoop
import HeadgateNetwork

/// Notices that files have changed, by a look at them every second. Belongs to the main thread.
final class FileWatch {
    private static let pause: UInt64 = 1_000_000_000

    private final class Clock {
        var timer: LoopTimer?
    }

    private let clock: LoopBound<Clock>
    private var states: [String: FileState] = [:]
    /// States of the files when reading began.
    private var before: [String: FileState] = [:]
    /// Whether the files have to be read although they are those of the last call.
    private var isUnread = false

    /// Watches the configuration file and those that it names; what happens to them is asked of the main thread.
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
    /// - Returns: nil, as every file can be looked at.
    func watch(_ file: String, since sightings: FileSightings) -> String? {
        let state = states[file] ?? FileState(file)
        states = sightings.all.merging([file: state]) { seen, _ in seen }
        return nil
    }

    /// Whether one of the files is another one than at the last call, or than when its watch began.
    func haveChanged() -> Bool {
        let now = current
        defer { (states, isUnread) = (now, false) }
        return isUnread || now != states
    }

    /// To be called before the files are read, for ``wereWhole(since:)``.
    func writes() -> Int {
        before = current
        return 0
    }

    /// Whether no file was written while they were read. Where one was, they ``haveChanged()`` once more.
    func wereWhole(since _: Int) -> Bool {
        isUnread = current != before
        return !isUnread
    }

    /// To be called once, before the loop is stopped.
    func close() {
        let clock = clock
        try? clock.loop.performAndWait { clock.value.timer = nil }
    }

    private var current: [String: FileState] {
        Dictionary(uniqueKeysWithValues: states.keys.map { ($0, FileState($0)) })
    }
}
