import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateTesting
import Synchronization
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct UpstreamQueueTests {
    private let queue = GatewayState().targets.queue(of: "up")
    private let clock = ManualClock()

    /// A request in the queue, and the replies to it.
    private final class Request {
        var slot: UpstreamQueue.Slot?
        var refusal: UpstreamQueue.Refusal?
        var answers = 0
        var wait: (any Cancellable)?
    }

    private func enter(
        _ caller: String = "a", priority: RequestPriority = .interactive, limit: Int = 1,
        timeout: Duration = .seconds(10)
    ) -> Request {
        let request = Request()
        request.wait = queue.enter(
            caller: caller, priority: priority, limit: limit, timeout: timeout, LoopMetadata(clock: clock)
        ) {
            request.answers += 1
            switch $0 {
            case .success(let slot): request.slot = slot
            case .failure(let refusal): request.refusal = refusal
            }
        }
        return request
    }

    @Test func freeSlotIsTakenAtOnce() {
        let requests = (0..<3).map { _ in enter(limit: 3) }
        #expect(requests.allSatisfy { $0.slot != nil && $0.wait == nil })
        #expect(queue.inFlight == 3 && queue.waiting == 0)
    }

    @Test func returnedSlotGoesToAWaitingRequest() {
        let first = enter()
        let second = enter()
        #expect(second.answers == 0 && second.wait != nil && queue.waiting == 1)
        first.slot?.leave()
        #expect(second.slot != nil && queue.inFlight == 1 && queue.waiting == 0)
        first.slot?.leave()
        #expect(queue.inFlight == 1, "a slot is given back once")
        second.slot = nil
        #expect(queue.inFlight == 0, "a slot that is forgotten is given back")
        #expect(enter().slot != nil)
    }

    @Test func batchRequestsWaitBehindAllOthers() {
        var running = enter()
        let batch = ["a", "b"].map { enter($0, priority: .batch) }
        let interactive = ["a", "c", "a"].map { enter($0) }
        var order: [Int] = []
        for _ in 0..<5 {
            running.slot?.leave()
            let all = interactive + batch
            let index = all.indices.first { all[$0].slot != nil && !order.contains($0) }
            order.append(index ?? -1)
            running = all[index ?? 0]
        }
        #expect(order == [0, 1, 2, 3, 4])
    }

    @Test func departedBatchRequestIsNotServed() {
        let running = enter()
        let (gone, stays) = (enter(priority: .batch), enter(priority: .batch))
        gone.wait?.cancel()
        #expect(queue.waiting == 1)
        running.slot?.leave()
        #expect(gone.slot == nil && stays.slot != nil)
    }

    @Test func batchRequestsDelayNoOther() {
        let running = enter()
        let batch = (0..<UpstreamQueue.StateMachine.longest).map { _ in enter(priority: .batch) }
        #expect(enter(priority: .batch).refusal == .full)
        let interactive = enter()
        #expect(interactive.refusal == nil)
        running.slot?.leave()
        #expect(interactive.slot != nil && batch.allSatisfy { $0.slot == nil })
    }

    @Test func waitingCallersAreServedInTurn() {
        var running = enter()
        var order: [String] = []
        var waiting: [(name: String, request: Request)] = []
        for name in ["a1", "a2", "a3", "b1", "c1", "b2"] { waiting.append((name, enter(String(name.prefix(1))))) }
        while !waiting.isEmpty {
            running.slot?.leave()
            let index = waiting.firstIndex { $0.request.slot != nil }
            guard let index else { break }
            order.append(waiting[index].name)
            running = waiting.remove(at: index).request
        }
        #expect(order == ["a1", "b1", "c1", "a2", "b2", "a3"])
    }

    @Test func waitEndsAtItsTimeout() {
        let first = enter()
        let second = enter(timeout: .seconds(10))
        clock.advance(by: .milliseconds(9999))
        #expect(second.answers == 0)
        clock.advance(by: .milliseconds(1))
        #expect(second.refusal == .timedOut && queue.waiting == 0)
        first.slot?.leave()
        #expect(second.answers == 1 && queue.inFlight == 0)
    }

    @Test func timeoutOfAnEndedWaitIsIgnored() {
        let first = enter()
        let second = enter()
        first.slot?.leave()
        clock.advance(by: .seconds(60))
        #expect(second.slot != nil && second.answers == 1 && queue.inFlight == 1)
    }

    @Test func disconnectLeavesTheQueue() {
        let first = enter()
        let (second, third) = (enter(), enter())
        second.wait?.cancel()
        #expect(second.refusal == .cancelled && queue.waiting == 1)
        second.wait?.cancel()
        first.slot?.leave()
        #expect(second.answers == 1 && third.slot != nil)
    }

    @Test func lineIsBounded() {
        let first = enter()
        let waiting = (0..<UpstreamQueue.StateMachine.longest).map { enter("\($0 % 7)") }
        #expect(waiting.allSatisfy { $0.answers == 0 })
        #expect(enter("b").refusal == .full)
        waiting[500].wait?.cancel()
        #expect(enter("b").answers == 0)
        withExtendedLifetime(first) {}
    }

    @Test func raisedLimitAdmitsWaitingRequests() {
        let first = enter()
        let waiting = (0..<3).map { _ in enter() }
        let last = enter(limit: 4)
        #expect(waiting.allSatisfy { $0.slot != nil } && last.slot == nil)
        first.slot?.leave()
        #expect(last.slot != nil)
    }

    @Test func loweredLimitAppliesOnceEnoughHaveLeft() {
        let running = (0..<3).map { _ in enter(limit: 3) }
        let waiting = enter(limit: 1)
        running[0].slot?.leave()
        running[1].slot?.leave()
        #expect(waiting.slot == nil)
        running[2].slot?.leave()
        #expect(waiting.slot != nil)
    }

    // MARK: Loops

    private final class Load: Sendable {
        let inFlight = Atomic<Int>(0)
        let most = Atomic<Int>(0)
        let done = Atomic<Int>(0)
        let elsewhere = Atomic<Int>(0)
    }

    @Test func closingRefusesWaitingRequestsOnly() {
        let running = enter()
        let waiting = [enter("a"), enter("b", priority: .batch)]
        queue.close()
        #expect(waiting.allSatisfy { $0.refusal == .closed && $0.answers == 1 })
        #expect(running.slot != nil && queue.inFlight == 1 && queue.waiting == 0)
        #expect(enter().refusal == .closed, "a later request does not wait either")
        running.slot?.leave()
        #expect(queue.inFlight == 0)
        #expect(enter().slot != nil, "a free slot needs no wait")
    }

    @Test(.timeLimit(.minutes(10))) func boundHoldsAcrossLoopsAndRequestsStayOnTheirLoop() async throws {
        let group = EventLoopGroup(count: 3)
        defer { group.stop() }
        let (count, load, queue, clock) = (3000, Load(), queue, clock)
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            for number in 0..<count {
                let loop = group.loops[number % 3]
                loop.execute {
                    let metadata = LoopMetadata(loop: loop, clock: clock)
                    let wait = queue.enter(
                        caller: "\(number % 5)", limit: 4, timeout: .seconds(60), metadata
                    ) { result in
                        if !loop.isCurrent { load.elsewhere.add(1, ordering: .relaxed) }
                        let slot = try? result.get()
                        if slot != nil {
                            load.most.max(load.inFlight.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                        }
                        // The slot is released in a later turn of the loop.
                        let held = LoopBound(slot.map { [$0] } ?? [], on: loop)
                        loop.execute {
                            for slot in held.value {
                                load.inFlight.subtract(1, ordering: .relaxed)
                                slot.leave()
                            }
                            if load.done.add(1, ordering: .relaxed).newValue == count { continuation.resume() }
                        }
                    }
                    // Every tenth client leaves.
                    if number % 10 == 0 { wait?.cancel() }
                }
            }
        }
        // A slot on its way to a departed client can still be returned.
        try await until { queue.inFlight == 0 }
        #expect(load.most.load(ordering: .relaxed) <= 4)
        #expect(load.elsewhere.load(ordering: .relaxed) == 0)
        #expect(queue.waiting == 0)
    }
}
