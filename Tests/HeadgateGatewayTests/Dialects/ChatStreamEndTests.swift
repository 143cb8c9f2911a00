import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Complete and incomplete streams.
@Suite struct ChatStreamEndTests {
    private let body = Chunk.events(Chunk.content("a"), Chunk.stop)

    @Test func doneWithoutItsBlankLineCounts() {
        for ending in ["", "\n"] {
            for end in [Relayed.BodyEnd.clean, .broken] {
                let relayed = Relayed.everyWay(body + "data: [DONE]" + ending, end: end)
                #expect(relayed.text == body + Chunk.done)
                #expect(relayed.end == .finished)
            }
        }
    }

    @Test func doneIsWrittenOnceAndLaterBytesAreDropped() {
        let relayed = Relayed.everyWay(
            body + Chunk.done + Chunk.done + Chunk.events(Chunk.content("late")) + "garbage", end: .broken)
        #expect(relayed.text == body + Chunk.done)
        #expect(relayed.end == .finished)
    }

    @Test func doneWithoutAnyFinishReasonIsComplete() {
        #expect(Relayed.everyWay(Chunk.events(Chunk.content("a")) + Chunk.done).end == .finished)
    }

    @Test(arguments: [
        ("", GatewayError.Cause.emptyStream), ("\n", .emptyStream), (": ping\n\n", .truncatedBody),
        ("data: {\"choices\":[]}\n\n", .truncatedBody),
    ])
    func emptyStreamIsDistinguishedFromATruncatedOne(_ body: String, _ cause: GatewayError.Cause) {
        let transform = ChatStreamTransform(options: Relayed.options())
        var output: [UInt8] = []
        _ = Array(body.utf8).withUnsafeBytes { transform.receive($0, into: &output) }
        guard case .failed(let error) = transform.end(nil, into: &output) else {
            Issue.record("the stream is complete")
            return
        }
        #expect(error.cause == cause && error.code == "upstream_incomplete")
    }

    @Test func decisionIsFinal() {
        let transform = ChatStreamTransform(options: Relayed.options())
        var output: [UInt8] = []
        for text in [Chunk.done, Chunk.events(Chunk.content("late")), Chunk.done] {
            let verdict = Array(text.utf8).withUnsafeBytes { transform.receive($0, into: &output) }
            #expect(Relayed.End(verdict) == .finished)
        }
        #expect(Relayed.End(transform.end(nil, into: &output)) == .finished)
        #expect(String(decoding: output, as: UTF8.self) == Chunk.done)
    }

    @Test func cleanEndAfterEveryFinishReasonIsComplete() {
        let relayed = Relayed.everyWay(body, end: .clean)
        #expect(relayed.text == body + Chunk.done)
        #expect(relayed.end == .finished)
    }

    @Test func cleanEndInsideTheLastEventCountsThatEvent() {
        let relayed = Relayed.everyWay(Chunk.events(Chunk.content("a")) + "data: \(Chunk.stop)", end: .clean)
        #expect(relayed.text == body + Chunk.done)
        #expect(relayed.finishReason == "stop")
    }

    @Test func cleanEndWithoutAFinishReasonIsIncomplete() {
        let stream = Chunk.events(Chunk.content("a"))
        let relayed = Relayed.everyWay(stream, end: .clean)
        #expect(relayed.text == stream)
        #expect(relayed.code == "upstream_incomplete")
    }

    @Test func emptyFinishReasonFinishesNothing() {
        let relayed = Relayed.everyWay(Chunk.events(Chunk.finish(0, reason: "")), end: .clean)
        #expect(relayed.code == "upstream_incomplete")
        #expect(relayed.finishReason == nil)
    }

    @Test func oneMissingFinishReasonOfSeveralIsIncomplete() {
        let stream = Chunk.events(Chunk.finish(0), Chunk.finish(2), Chunk.finish(2))
        let options = Relayed.options(choices: 3)
        #expect(Relayed.everyWay(stream, end: .clean, options: options).code == "upstream_incomplete")
        let whole = stream + Chunk.events(Chunk.finish(1))
        #expect(Relayed.everyWay(whole, end: .clean, options: options).end == .finished)
    }

    @Test(arguments: ["128", "-1", "9223372036854775807"]) func choiceIndexBeyondReasonFinishesNothing(_ index: String)
    {
        let chunk = #"{"choices":[{"index":\#(index),"delta":{},"finish_reason":"stop"}]}"#
        #expect(Relayed.everyWay(Chunk.events(chunk), end: .clean).code == "upstream_incomplete")
    }

    @Test func missingChoiceIndexIsTheFirst() {
        let chunk = #"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#
        #expect(Relayed.everyWay(Chunk.events(chunk), end: .clean).end == .finished)
    }

    @Test func resetAfterEverythingFinishedIsDoneButUnclean() {
        let relayed = Relayed.everyWay(body, end: .broken)
        #expect(relayed.text == body + Chunk.done)
        #expect(relayed.end == .finishedUncleanly)
    }

    @Test func resetInsideAnEventAfterEverythingFinishedIsIncomplete() {
        for rest in ["data: {\"usage\"", "d", "data: {}\n"] {
            let relayed = Relayed.everyWay(body + rest, end: .broken)
            #expect(relayed.text == body)
            #expect(relayed.code == "upstream_incomplete")
        }
    }

    @Test func resetMidStreamIsAnErrorAndNoDone() {
        let stream = Chunk.events(Chunk.role, Chunk.content("a"))
        let relayed = Relayed.everyWay(stream, end: .broken)
        #expect(relayed.text == stream)
        #expect(relayed.code == "upstream_incomplete")
    }

    @Test func eventWithoutItsBlankLineIsDroppedByAReset() {
        let relayed = Relayed.everyWay("data: \(Chunk.content("a"))\n\ndata: \(Chunk.stop)\n", end: .broken)
        #expect(relayed.text == Chunk.events(Chunk.content("a")))
        #expect(relayed.code == "upstream_incomplete")
    }

    @Test func bodyWithNothingInItIsIncomplete() {
        for text in ["", "\n\n", ": only a comment\n\n", "dat", "id: 1\n\n"] {
            #expect(Relayed.everyWay(text, end: .clean).code == "upstream_incomplete", "\(text)")
        }
    }
}
