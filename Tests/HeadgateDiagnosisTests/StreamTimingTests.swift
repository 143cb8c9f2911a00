import Testing

@testable import HeadgateDiagnosis

struct StreamTimingTests {
    private let steady = paced(wholeTexts)
    private let held = stream([(at: 1500, bytes: Array(wholeTexts.joined().utf8))])

    private func finding(_ check: Check, _ stream: StreamObservation, direct: StreamObservation? = nil) -> Finding? {
        StreamDiagnosis(stream, .chat, comparison: direct.map { .stream($0) } ?? .none).findings[check]
    }

    @Test func eventsOneByOneAreNotBuffered() {
        #expect(finding(.buffering, steady)?.verdict == .ok)
    }

    @Test func everythingAtOnceAfterASilenceFails() {
        let finding = finding(.buffering, held)
        #expect(finding?.verdict == .failed)
        #expect(finding?.measured == "12 of 12 events at once, after 1.5 s of silence")
    }

    @Test func lateNetworkRestDoesNotHideBuffering() {
        let most = Array(wholeTexts.prefix(10).joined().utf8)
        let rest = Array(wholeTexts.dropFirst(10).joined().utf8)
        #expect(finding(.buffering, stream([(520, most), (560, rest)]))?.verdict == .failed)
    }

    @Test func fastModelAfterLongReasoningIsNotTakenForABuffer() {
        let texts = (1...160).map { chunk("word \($0)") }
        let fast = stream(texts.enumerated().map { (at: 5000 + UInt64($0.offset) / 3, bytes: Array($0.element.utf8)) })
        #expect(finding(.buffering, fast)?.verdict == .skipped)
    }

    @Test func comparisonDistinguishesProxyFromUpstream() {
        #expect(finding(.buffering, held, direct: steady)?.measured.hasSuffix("directly they come one by one") == true)
        #expect(finding(.buffering, held, direct: held)?.measured.hasSuffix("directly too") == true)
        #expect(finding(.buffering, steady, direct: held)?.verdict == .ok)
    }

    @Test func fastResponseProvesNothing() {
        let fast = stream([(at: 40, bytes: Array(wholeTexts.joined().utf8))])
        #expect(finding(.buffering, fast)?.verdict == .skipped)
    }

    @Test func openingEventDoesNotHideBuffering() {
        let rest = Array(wholeTexts.dropFirst().joined().utf8)
        #expect(finding(.buffering, stream([(5, Array(opening.utf8)), (2000, rest)]))?.verdict == .failed)
    }

    @Test func fewEventsProveNothing() {
        let few = stream([(at: 1500, bytes: Array((opening + chunk("a") + done).utf8))])
        #expect(finding(.buffering, few)?.measured == "2 events: too few to tell")
    }

    @Test func burstsAreAWarningAndByComparisonAFault() {
        let texts = (1...40).map { chunk("word \($0)") }
        let bursts = stream(
            stride(from: 0, to: 40, by: 10).map { start in
                (at: UInt64(400 + start * 40), bytes: Array(texts[start..<(start + 10)].joined().utf8))
            })
        #expect(finding(.buffering, bursts)?.verdict == .warning)
        #expect(finding(.buffering, bursts, direct: paced(texts))?.verdict == .failed)
        #expect(finding(.buffering, bursts, direct: bursts)?.verdict == .warning)
    }

    @Test func pairsOfEventsAreStillAStream() {
        let texts = (1...20).map { chunk("word \($0)") }
        let pairs = stream(
            stride(from: 0, to: 20, by: 2).map { start in
                (at: UInt64(100 + start * 30), bytes: Array(texts[start..<(start + 2)].joined().utf8))
            })
        #expect(finding(.buffering, pairs)?.verdict == .ok)
    }

    @Test func gapsAreMeasuredBetweenEvents() {
        let finding = finding(.gaps, steady)
        #expect(finding?.verdict == .ok)
        #expect(finding?.figures.first { $0.name == "gap_p50_ms" }?.value == 20)
        #expect(finding?.figures.first { $0.name == "events" }?.value == 15)
    }

    @Test func longSilenceIsAWarningUnlessCommentsBridgeIt() {
        let (start, end) = (Array((opening + chunk("a")).utf8), Array((closing + done).utf8))
        #expect(finding(.gaps, stream([(1, start), (50_000, end)]))?.verdict == .warning)
        let ping = Array(": ping\n\n".utf8)
        #expect(finding(.gaps, stream([(1, start), (15_000, ping), (30_000, ping), (50_000, end)]))?.verdict == .ok)
    }

    @Test func slowFirstTextIsAWarning() {
        #expect(finding(.firstEvent, steady)?.verdict == .ok)
        #expect(finding(.firstEvent, paced(wholeTexts, after: 12_000))?.verdict == .warning)
    }

    @Test func proxyThatAddsSecondsIsAWarning() {
        #expect(finding(.addedDelay, steady) == nil)
        #expect(finding(.addedDelay, steady, direct: steady)?.verdict == .ok)
        #expect(finding(.addedDelay, paced(wholeTexts, after: 900), direct: steady)?.verdict == .warning)
        #expect(
            finding(.addedDelay, paced(wholeTexts, after: 900), direct: paced(wholeTexts, after: 600))?.verdict == .ok)
        #expect(
            finding(.addedDelay, paced(wholeTexts, after: 1300), direct: paced(wholeTexts, after: 600))?.verdict
                == .warning)
    }

    @Test func gapsAreReportedByTheirMedian() {
        let instants: [UInt64] = [10, 15, 35, 535]
        let uneven = stream(instants.map { (at: $0, bytes: Array(chunk("a").utf8)) })
        #expect(finding(.gaps, uneven)?.measured == "4 events in 535 ms, p50 20 ms, longest 500 ms")
    }
}
