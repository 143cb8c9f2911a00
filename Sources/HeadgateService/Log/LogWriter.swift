import Glibc
import HeadgateEventLoop
import HeadgateGateway

/// Writes log lines to a descriptor from a thread of its own, so that a blocked pipe never blocks a loop.
///
/// Lines gather per loop for a moment and are handed over together: a request costs no lock and no wake-up. When the
/// reader does not keep up, lines are dropped and counted.
package final class LogWriter: LogSink {
    private final class Batch {
        var lines: [UInt8] = []
        var timer: LoopTimer?
    }

    private struct Queue: Sendable {
        var bytes: [UInt8] = []
        var droppedLines = 0
        var isClosed = false
    }

    private static let maximumQueue = 4 << 20
    private static let gatheringTime = Duration.milliseconds(20)

    private let descriptor: Int32
    private let batches: [LoopBound<Batch>]
    private let queue = Locked(Queue())
    private let filled = Signal()
    private let finished = Latch()

    init(group: EventLoopGroup, descriptor: Int32) throws(ThreadShortage) {
        self.descriptor = descriptor
        batches = group.loops.map { LoopBound(Batch(), on: $0) }
        pthread_detach(try startThread(running: runLogWriter, with: self))
    }

    func write(_ append: (inout [UInt8]) -> Void) {
        let loop = EventLoop.current
        let batch = batches[loop.index].value
        append(&batch.lines)
        let timer = batch.timer ?? LoopTimer(loop: loop) { [unowned self, unowned batch] in handOver(batch) }
        batch.timer = timer
        if !timer.isScheduled { timer.schedule(after: LogWriter.gatheringTime) }
    }

    private func handOver(_ batch: Batch) {
        enqueue(batch.lines)
        batch.lines.removeAll(keepingCapacity: batch.lines.capacity <= 256 * 1024)
    }

    private func enqueue(_ lines: [UInt8]) {
        guard !lines.isEmpty else { return }
        queue.withLock { queue in
            if queue.bytes.count + lines.count > LogWriter.maximumQueue {
                queue.droppedLines += lines.count { $0 == 0x0A }
            } else {
                queue.bytes.append(contentsOf: lines)
            }
        }
        filled.raise()
    }

    /// Writes one line for people, without a wait for others; one that has lines of its own keeps them. From any
    /// thread.
    package func say(_ line: String) {
        enqueue(Array((LogText.shown(line) + "\n").utf8))
    }

    /// Writes out what is there, as far as its reader takes it within two seconds. Not from a loop; the loops still
    /// run.
    func close() {
        for batch in batches {
            try? batch.loop.performAndWait { [self] in handOver(batch.value) }
        }
        queue.withLock { $0.isClosed = true }
        filled.raise()
        _ = finished.wait(atMost: .seconds(2))
    }

    fileprivate func run() {
        while true {
            filled.wait()
            let taken = queue.withLock { queue in
                defer { queue = Queue(isClosed: queue.isClosed) }
                return queue
            }
            writeAll(taken.bytes)
            if taken.droppedLines > 0 {
                writeAll(
                    Array("headgate: \(taken.droppedLines) log lines were dropped: the log's reader is too slow\n".utf8)
                )
            }
            if taken.isClosed { break }
        }
        finished.open()
    }

    private func writeAll(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                // Whoever else has this descriptor open made it non-blocking.
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&writable, 1, -1)
                continue
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

private func runLogWriter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<LogWriter>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
