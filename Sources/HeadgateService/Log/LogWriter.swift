import HeadgateEventLoop
package import HeadgateGateway
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateRelay
import Synchronization

/// Writes log lines on a separate thread, so that a blocked pipe or a slow disk never blocks a loop.
///
/// Lines are batched per loop: a request costs no lock and no wake-up. Lines that the destination refuses, or accepts
/// too late, are dropped and counted, and reported there when it accepts lines again.
package final class LogWriter: LogSink {
    private final class Batch {
        // Appending a line never calls code that could append another one.
        @exclusivity(unchecked) var lines = LogLines()
        @exclusivity(unchecked) var timer: LoopTimer?
    }

    private struct Queue: Sendable {
        var bytes: [UInt8] = []
        var droppedLines = 0
        var isToReopen = false
        var isClosed = false
    }

    private static let maximumQueue = 4 << 20
    /// Maximum capacity in bytes of an empty buffer that is not freed.
    private static let keptCapacity = 256 * 1024
    private static let gatheringTime = Duration.milliseconds(20)

    /// Initial destination; the writer's thread continues with its own copy.
    private let destination: any LogDestination
    private let noticing: @Sendable (_ lines: Int, _ reason: String) -> String
    private let complaining: @Sendable (_ reason: String) -> Void
    private let batches: [LoopBound<Batch>]
    private let queue = Locked(Queue())
    private let filled = Signal()
    private let thread = EndingThread()
    private let dropped = Atomic(0)

    /// - Parameters:
    ///   - noticing: returns the line that reports dropped lines.
    ///   - complaining: called on the writer's thread if the destination begins to refuse lines.
    init(
        group: EventLoopGroup, to destination: any LogDestination,
        noticing: @escaping @Sendable (_ lines: Int, _ reason: String) -> String = {
            "headgate: \($0) log lines were dropped: \($1)"
        },
        complaining: @escaping @Sendable (_ reason: String) -> Void = { _ in }
    ) throws(ThreadShortage) {
        (self.destination, self.noticing, self.complaining) = (destination, noticing, complaining)
        batches = group.loops.map { LoopBound(Batch(), on: $0) }
        try thread.start(running: runLogWriter, with: self)
    }

    /// Timers belong to their loops, whichever thread releases this.
    deinit {
        for batch in batches { batch.loop.execute { batch.value.timer = nil } }
    }

    /// Number of lost lines since the start.
    package var droppedLines: Int { dropped.load(ordering: .relaxed) }

    package func write(_ append: (inout LogLines) -> Void) {
        let loop = EventLoop.current
        let batch = batches[loop.index].value
        append(&batch.lines)
        if batch.timer?.isScheduled != true { schedule(batch, on: loop) }
    }

    private func schedule(_ batch: Batch, on loop: EventLoop) {
        // It can fire while another thread releases this writer.
        let timer = batch.timer ?? LoopTimer(loop: loop) { [weak self, unowned batch] in self?.handOver(batch) }
        batch.timer = timer
        timer.schedule(after: LogWriter.gatheringTime)
    }

    private func handOver(_ batch: Batch) { enqueue(&batch.lines.bytes) }

    /// Adds lines to the queue and empties the array, which gets the memory of already written lines if possible.
    private func enqueue(_ lines: inout [UInt8]) {
        guard !lines.isEmpty else { return }
        queue.withLock { queue in
            if queue.bytes.isEmpty {
                swap(&queue.bytes, &lines)
            } else if queue.bytes.count + lines.count > LogWriter.maximumQueue {
                let count = LogWriter.count(lines)
                queue.droppedLines += count
                dropped.add(count, ordering: .relaxed)
            } else {
                queue.bytes.append(contentsOf: lines)
            }
        }
        lines.removeAll(keepingCapacity: lines.capacity <= LogWriter.keptCapacity)
        filled.raise()
    }

    private static func count(_ lines: [UInt8]) -> Int { lines.count { $0 == 0x0A } }

    /// Writes a message for people at once, unchanged if it has several lines. Can be called from any thread.
    package func say(_ line: String) {
        var line = Array((LogText.shown(line) + "\n").utf8)
        enqueue(&line)
    }

    /// Reopens a file that was moved away, after all earlier lines are written. Can be called from any thread.
    func reopen() {
        queue.withLock { $0.isToReopen = true }
        filled.raise()
    }

    /// Writes pending lines, as far as the destination takes them within two seconds. Must not be called on a loop; the
    /// loops must still run.
    func close() {
        for batch in batches {
            try? batch.loop.performAndWait { [self] in handOver(batch.value) }
        }
        queue.withLock { $0.isClosed = true }
        filled.raise()
        thread.wait(atMost: .seconds(2))
    }

    fileprivate func run() {
        var destination = destination
        var untold = (lines: 0, reason: "")
        var isRefused = false
        var taken = Queue()
        while true {
            filled.wait()
            taken.bytes.removeAll(keepingCapacity: taken.bytes.capacity <= LogWriter.keptCapacity)
            queue.withLock { queue in
                let next = Queue(bytes: taken.bytes, isClosed: queue.isClosed)
                taken = queue
                queue = next
            }
            if taken.droppedLines > 0 {
                untold = (untold.lines + taken.droppedLines, "the log's reader is too slow")
            }
            do throws(LogLoss) {
                if !taken.bytes.isEmpty {
                    try destination.write(taken.bytes)
                    isRefused = false
                    if untold.lines > 0 {
                        let notice = Array((noticing(untold.lines, untold.reason) + "\n").utf8)
                        // If the notice is refused, the next lines report it.
                        if (try? destination.write(notice)) != nil { untold.lines = 0 }
                    }
                }
            } catch {
                untold = (untold.lines + error.lines, systemErrorText(error.error))
                dropped.add(error.lines, ordering: .relaxed)
                if !isRefused { complaining(untold.reason) }
                isRefused = true
            }
            if taken.isToReopen { destination.reopen() }
            if taken.isClosed { break }
        }
        thread.finish()
    }
}

private func runLogWriter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<LogWriter>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
