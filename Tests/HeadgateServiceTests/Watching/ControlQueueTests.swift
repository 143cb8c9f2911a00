import Testing

@testable import HeadgateService

@Suite struct ControlQueueTests {
    @Test func reloadsThatNobodyHasBegunAreOne() {
        let queue = ControlQueue()
        queue.post(.reload)
        queue.post(.reload)
        queue.post(.end)
        #expect(queue.next() == .reload)
        #expect(queue.next() == .end)
    }

    @Test func reloadAfterAnotherHasBegunIsOneMore() {
        let queue = ControlQueue()
        queue.post(.reload)
        #expect(queue.next() == .reload)
        queue.post(.reload)
        queue.post(.end)
        #expect(queue.next() == .reload)
        #expect(queue.next() == .end)
    }
}
