import HeadgateHTTP
import Testing

@Suite struct PendingCallTests {
    /// A call that ends when a test says so.
    private final class Step: Cancellable {
        private(set) var cancels = 0
        func cancel() { cancels += 1 }
    }

    @Test func cancellationReachesTheCurrentStep() {
        let (call, first, second) = (PendingCall(), Step(), Step())
        call.wait { first }
        call.stepEnded()
        call.wait { second }
        call.cancel()
        #expect((first.cancels, second.cancels) == (0, 1))
        #expect(call.isCancelled)
    }

    @Test func stepThatEndsBeforeItReturnsIsNotCancelled() {
        let (call, step) = (PendingCall(), Step())
        call.wait {
            call.stepEnded()
            return step
        }
        call.cancel()
        #expect(step.cancels == 0)
    }

    @Test func nestedStepIsTheCancelledOne() {
        let (call, first, second) = (PendingCall(), Step(), Step())
        call.wait {
            call.stepEnded()
            call.wait { second }
            return first
        }
        call.cancel()
        #expect((first.cancels, second.cancels) == (0, 1))
    }

    @Test func stepThatBeginsAfterCancellationIsCancelledAtOnce() {
        let (call, inside, after) = (PendingCall(), Step(), Step())
        call.wait {
            call.cancel()
            return inside
        }
        call.stepEnded()
        call.wait { after }
        #expect((inside.cancels, after.cancels) == (1, 1))
    }

    @Test func stepWithoutAHandleCanBeCancelled() {
        let call = PendingCall()
        call.wait { nil }
        call.cancel()
        #expect(call.isCancelled)
    }

    @Test func endedStepIsReleased() {
        let call = PendingCall()
        weak var ended: Step?
        do {
            let step = Step()
            ended = step
            call.wait { step }
            call.stepEnded()
        }
        #expect(ended == nil)
    }
}
