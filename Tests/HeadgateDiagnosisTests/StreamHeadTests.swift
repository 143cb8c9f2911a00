import Testing

@testable import HeadgateDiagnosis

struct StreamHeadTests {
    private func finding(
        _ check: Check, _ fields: ResponseFields, framing: StreamObservation.Framing = .chunked
    ) -> Finding? {
        StreamDiagnosis(stream([(at: 1, bytes: Array(done.utf8))], fields: fields, framing: framing), .chat).findings[
            check]
    }

    @Test(arguments: [
        ("text/event-stream", Verdict.ok), ("TEXT/EVENT-STREAM;charset=utf-8", .ok), ("text/plain", .failed),
        ("text/event-streams", .failed),
    ])
    func onlyEventStreamsPass(type: String, verdict: Verdict) {
        #expect(finding(.contentType, ["Content-Type": type])?.verdict == verdict)
    }

    @Test func missingContentTypeFails() { #expect(finding(.contentType, [:])?.verdict == .failed) }

    @Test(arguments: [
        ("no-cache, no-transform", Verdict.ok), ("No-Store,No-Transform", .ok), ("no-cache", .warning),
        ("max-age=60, no-transform", .warning),
    ])
    func streamMustNotBeCachedOrTransformed(value: String, verdict: Verdict) {
        #expect(finding(.caching, ["cache-control": value])?.verdict == verdict)
        #expect(finding(.caching, [:])?.verdict == .warning)
    }

    @Test func lengthOfAStreamFailsAndItsAbsenceIsAWarning() {
        #expect(finding(.framing, [:], framing: .length(1234))?.measured == "Content-Length: 1234")
        #expect(finding(.framing, [:], framing: .length(1234))?.verdict == .failed)
        #expect(finding(.framing, [:], framing: .connection)?.verdict == .warning)
        #expect(finding(.framing, [:])?.verdict == .ok)
    }

    @Test(arguments: [("gzip", Verdict.warning), ("BR", .warning), ("identity", .ok)])
    func compressionIsAWarning(coding: String, verdict: Verdict) {
        #expect(finding(.compression, ["Content-Encoding": coding])?.verdict == verdict)
    }

    @Test func refusedStreamSkipsItsLaterChecks() {
        let body = Array(#"{"error":{"message":"No.","code":"x"}}"#.utf8)
        let findings = StreamDiagnosis(stream([(at: 1, bytes: body)], status: 429), .chat).findings
        #expect(findings[.status]?.measured == "the stream was refused with 429: No.")
        #expect(findings.filter { $0.verdict == .skipped }.count == findings.count - 1)
    }
}
