import Foundation
import HeadgateClient
import HeadgatePrimitives
import Testing

@testable import HeadgateClientURLSession

/// An exchange with a task that only records its calls.
@Suite(.timeLimit(.minutes(10))) struct URLSessionExchangeTests {
    /// A task that behaves like one of URLSession: resuming it while it runs has no effect.
    private final class NotedTask: ExchangeTask {
        let isSuspended = Locked(false)
        let cancellations: AsyncStream<Void>
        let onSuspend: @Sendable () -> Void
        private let cancellation: AsyncStream<Void>.Continuation

        init(onSuspend: @escaping @Sendable () -> Void = {}) {
            self.onSuspend = onSuspend
            (cancellations, cancellation) = AsyncStream.makeStream()
        }

        func resume() { isSuspended.withLock { $0 = false } }

        func suspend() {
            onSuspend()
            isSuspended.withLock { $0 = true }
        }

        func cancel() { cancellation.yield() }
    }

    private static let tooMuch = Data(count: URLSessionExchange.highWater + 1)

    @Test func readerThatArrivesDuringSuspensionResumesTheTask() async throws {
        for _ in 0..<50 {
            let (started, start) = AsyncStream<Void>.makeStream()
            let isReading = DispatchSemaphore(value: 0)
            let task = NotedTask {
                start.yield()
                isReading.wait()
            }
            let exchange = URLSessionExchange(task, holdsBack: true)
            let reading = Task {
                for await _ in started { break }
                isReading.signal()
                return try await exchange.next()?.count
            }
            // The bytes arrive on another thread, because this one would wait.
            DispatchQueue.global().async { exchange.receive(Self.tooMuch) }
            #expect(try await reading.value == Self.tooMuch.count)
            exchange.complete(nil)
            #expect(!task.isSuspended.withLock { $0 })
        }
    }

    @Test func slowReaderHoldsBackTheServerUntilItReads() async throws {
        let task = NotedTask()
        let exchange = URLSessionExchange(task, holdsBack: true)
        exchange.receive(Self.tooMuch)
        #expect(task.isSuspended.withLock { $0 })
        #expect(try await exchange.next()?.count == Self.tooMuch.count)
        #expect(!task.isSuspended.withLock { $0 })
    }

    @Test func restThatIsLongClosesTheConnection() async {
        let task = NotedTask()
        let exchange = URLSessionExchange(task)
        exchange.discardRest()
        exchange.receive(Data(count: URLSessionExchange.discardedBytes + 1))
        for await _ in task.cancellations { break }
    }

    @Test func missingRestClosesTheConnection() async {
        let task = NotedTask()
        let exchange = URLSessionExchange(task)
        exchange.discardRest()
        for await _ in task.cancellations { break }
    }
}
