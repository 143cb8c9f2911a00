import Testing

@testable import HeadgateStores

@Suite struct RedisLoopStatesTests {
    @Test func failureAndItsEndAreReportedOnce() {
        var states = RedisLoopStates(loops: 2, server: "redis://h")
        #expect(!states.areUp)
        #expect(states.change(0, failure: nil) == nil && !states.areUp)
        #expect(states.change(1, failure: nil) == nil && states.areUp)
        let told = states.change(1, failure: "gone")
        #expect(told?.hasPrefix("redis://h cannot be used: gone.") == true && !states.areUp)
        #expect(states.change(0, failure: "gone") == nil)
        #expect(states.change(0, failure: "refused") == nil)
        #expect(states.change(0, failure: nil) == nil)
        #expect(states.change(1, failure: nil) == "redis://h is used again" && states.areUp)
        #expect(states.change(0, failure: "gone") != nil)
    }
}
