import Testing

@testable import HeadgateService

@Suite struct ControlQueueTests {
    @Test func pendingReloadsAreMerged() {
        let queue = ControlQueue()
        queue.post(.reload)
        queue.post(.reload)
        queue.post(.end)
        #expect(queue.next() == .reload)
        #expect(queue.next() == .end)
    }

    @Test func reloadDuringAnotherIsQueued() {
        let queue = ControlQueue()
        queue.post(.reload)
        #expect(queue.next() == .reload)
        queue.post(.reload)
        queue.post(.end)
        #expect(queue.next() == .reload)
        #expect(queue.next() == .end)
    }
}
