internal import HeadgateLibC
internal import HeadgatePrimitives
internal import Synchronization

/// The loops of a process, each on its own thread.
package final class EventLoopGroup: Sendable {
    package let loops: [EventLoop]
    private let sideThreads = SideThreads()
    private let threads: Locked<[StartedThread]> = Locked([])

    /// Starts the threads.
    ///
    /// - Throws: ``ThreadShortage`` if not all of them can be started; then none is left.
    package init(starting count: Int) throws(ThreadShortage) {
        let sideThreads = sideThreads
        loops = (0..<max(1, count)).map { EventLoop(index: $0, sideThreads: sideThreads) }
        for loop in loops {
            do throws(ThreadShortage) {
                let thread = try startThread(running: runLoop, with: loop)
                threads.withLock { $0.append(thread) }
            } catch {
                stop()
                throw error
            }
        }
    }

    /// Creates a group for callers that cannot continue without loops, such as tests.
    package convenience init(count: Int) {
        do throws(ThreadShortage) {
            try self.init(starting: count)
        } catch {
            fatalError("\(error)")
        }
    }

    /// Number of processors that this process can use, which is the default number of loops.
    package static var availableProcessors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Loop with the fewest connections.
    package var leastLoaded: EventLoop {
        var best = loops[0]
        for loop in loops.dropFirst() where loop.load.value < best.load.value { best = loop }
        return best
    }

    /// Stops every loop and waits for its thread. Must not be called on a loop.
    package func stop() {
        // Side threads stop first, since the callers of their work are released on the loops.
        sideThreads.stop()
        for loop in loops { loop.stop() }
        let threads = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        for thread in threads { thread.join() }
    }
}

private func runLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
    return nil
}

/// A count that one loop changes and others read.
package final class LoadCounter: Sendable {
    private let count = Atomic<Int>(0)

    init() {}

    package var value: Int { count.load(ordering: .relaxed) }
    package func increment() { count.add(1, ordering: .relaxed) }
    package func decrement() { count.subtract(1, ordering: .relaxed) }
}
