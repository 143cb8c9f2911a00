import Testing

@testable import HeadgateDiagnosis

struct StreamComparisonTests {
    private func addedDelay(_ response: Result<StreamObservation, ExchangeFailure>) -> Finding? {
        let comparison = StreamComparison(response, .chat)
        return StreamDiagnosis(paced(wholeTexts), .chat, comparison: comparison).findings[.addedDelay]
    }

    @Test func missingComparisonIsReported() {
        let refusal = Array(#"{"error":{"message":"A key is needed."}}"#.utf8)
        let findings = [
            addedDelay(.failure(ExchangeFailure(.connect, "Connection refused"))),
            addedDelay(.success(stream([(1, refusal)], status: 401))), addedDelay(.success(stream([]))),
        ]
        #expect(
            findings.map { $0?.measured } == [
                "not compared, the gateway itself: no answer: Connection refused",
                "not compared, the gateway itself: answers 401: A key is needed.",
                "not compared, the gateway itself: no event came",
            ])
        #expect(findings.allSatisfy { $0?.verdict == .warning && $0?.advice != nil })
    }

    @Test func comparisonIsReportedOnlyWithAnUpstreamToCompare() {
        #expect(addedDelay(.success(paced(wholeTexts)))?.verdict == .ok)
        #expect(StreamDiagnosis(paced(wholeTexts), .chat).findings[.addedDelay] == nil)
    }
}
