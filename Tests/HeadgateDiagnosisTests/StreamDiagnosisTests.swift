import Testing

@testable import HeadgateDiagnosis

struct StreamDiagnosisTests {
    private func findings(_ texts: [String], _ dialect: StreamDialect = .chat) -> [Finding] {
        StreamDiagnosis(paced(texts), dialect).findings
    }

    @Test func gatewaysOwnStreamPasses() {
        let findings = findings(wholeTexts)
        #expect(findings.troubled.isEmpty)
        #expect(findings.map(\.check) == StreamDiagnosis.checks.filter { $0 != .addedDelay })
    }

    @Test func cuttingTheBytesAnywhereChangesNoVerdict() {
        let bytes = Array(wholeTexts.joined().utf8)
        for size in [1, 2, 3, 7, 64, bytes.count] {
            let pieces = stride(from: 0, to: bytes.count, by: size).enumerated().map { index, start in
                (at: UInt64(20 * (index + 1)), bytes: Array(bytes[start..<min(bytes.count, start + size)]))
            }
            let findings = StreamDiagnosis(stream(pieces), .chat).findings
            for check in [Check.json, .utf8, .usage, .end] {
                #expect(findings[check]?.verdict == .ok, "\(check) of pieces of \(size)")
            }
        }
    }

    @Test func readsThatEndInsideACharacterAreCountedAndLegal() {
        let bytes = Array((opening + chunk("w\u{F6}rd") + closing + usage + done).utf8)
        let split = bytes.firstIndex(of: 0xB6) ?? 0
        let pieces = [(at: UInt64(1), bytes: Array(bytes[..<split])), (at: UInt64(50), bytes: Array(bytes[split...]))]
        let finding = StreamDiagnosis(stream(pieces), .chat).findings[.utf8]
        #expect(finding?.verdict == .ok)
        #expect(finding?.measured == "1 character beyond ASCII, 1 read ended inside one, which is legal")
    }

    // MARK: The end

    @Test func missingMarkerFails() {
        let finding = findings(wholeTexts.dropLast())[.end]
        #expect(finding?.verdict == .failed)
        #expect(finding?.measured == "no [DONE] after 15 events, finish reason stop")
    }

    @Test func secondMarkerOrAnythingElseAfterItFails() {
        #expect(findings(wholeTexts + [done])[.end]?.measured == "1 event after [DONE]")
        #expect(findings(wholeTexts + [chunk("late")])[.end]?.verdict == .failed)
        #expect(findings(wholeTexts + ["data: {\"a\""])[.end]?.measured == "bytes after [DONE] that are not an event")
    }

    @Test func brokenConnectionFails() {
        let broken = stream([(at: 1, bytes: Array((opening + chunk("a")).utf8))], end: .broken("reset"))
        let findings = StreamDiagnosis(broken, .chat).findings
        #expect(findings[.end]?.measured == "the connection broke after 2 events: reset")
        #expect(findings[.usage]?.verdict == .skipped)
    }

    @Test func errorInTheStreamFailsWithItsWords() {
        let error = "data: {\"error\":{\"message\":\"Slow\\u001b[31m down.\",\"code\":\"busy\"}}\n\n"
        let finding = findings([opening, error])[.end]
        #expect(finding?.verdict == .failed)
        #expect(finding?.measured == "the stream reports an error: Slow\u{1B}[31m down.")
    }

    @Test func markerWithoutFinishReasonIsAWarning() {
        #expect(findings([opening, chunk("ä"), usage, done])[.end]?.verdict == .warning)
    }

    @Test func messagesEndWithTheirOwnMarker() {
        let events = [
            #"{"type":"message_start","message":{"usage":{"input_tokens":1}}}"#,
            #"{"type":"content_block_delta","delta":{"type":"text_delta","text":"grün"}}"#,
            #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}"#,
            #"{"type":"message_stop"}"#,
        ].map { "event: x\ndata: \($0)\n\n" }
        let whole = findings(events, .messages)
        for check in [Check.json, .utf8, .usage, .end] { #expect(whole[check]?.verdict == .ok) }
        #expect(findings(events.dropLast(), .messages)[.end]?.measured.hasPrefix("no message_stop") == true)
    }

    // MARK: The text

    @Test func characterTornBetweenTwoEventsFails() {
        let (before, after) = (Array(#"data: {"choices":[{"delta":{"content":""#.utf8), Array("\"}}]}\n\n".utf8))
        let bytes =
            Array(opening.utf8) + before + [0xF0, 0x9F] + after + before + [0x8C, 0x8D] + after
            + Array((closing + usage + done).utf8)
        let findings = StreamDiagnosis(stream([(at: 1, bytes: bytes)]), .chat).findings
        #expect(findings[.utf8]?.verdict == .failed)
        #expect(findings[.utf8]?.measured == "1 character torn apart between two events")
        #expect(findings[.json]?.verdict == .ok)
    }

    @Test func surrogatesInTwoEventsAreTornToo() {
        #expect(
            findings([opening, chunk("\\ud83c"), chunk("\\udf0d"), closing, done])[.utf8]?.measured
                == "1 character torn apart between two events")
        #expect(findings([opening, chunk("\\ud83c\\udf0d\\\\ud83c é"), closing, done])[.utf8]?.verdict == .ok)
    }

    @Test func otherEncodingFails() {
        let bytes = Array(opening.utf8) + Array(chunk("@").utf8).map { $0 == 0x40 ? 0xE9 : $0 } + Array(done.utf8)
        let finding = StreamDiagnosis(stream([(at: 1, bytes: bytes)]), .chat).findings[.utf8]
        #expect(finding?.measured == "1 place in the events not UTF-8")
    }

    @Test(arguments: ["\u{FFFD}", "\\ufffd"])
    func lostCharactersAreAWarning(text: String) {
        #expect(findings([opening, chunk(text), closing, done])[.utf8]?.verdict == .warning)
    }

    @Test func plainTextProvesNothing() {
        #expect(findings([opening, chunk("plain"), closing, done])[.utf8]?.verdict == .skipped)
    }

    @Test func eventThatIsNotJSONFails() {
        let finding = findings([opening, "data: <html>\n\n", chunk("a"), done])[.json]
        #expect(finding?.measured == "1 event of 3 not JSON, the first is number 2")
        #expect(findings(["<html>captive portal</html>"])[.json]?.measured == "no event in 27 bytes")
    }

    @Test func missingRequestedUsageIsAWarning() {
        let without = [opening, chunk("ä"), closing, done]
        #expect(findings(without)[.usage]?.verdict == .warning)
        #expect(StreamDiagnosis(paced(without), .chat, asksUsage: false).findings[.usage]?.verdict == .skipped)
    }
}
