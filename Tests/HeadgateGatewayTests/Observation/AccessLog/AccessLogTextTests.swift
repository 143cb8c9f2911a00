import Foundation
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct AccessLogTextTests {
    private func outcome(_ change: (inout Outcome) -> Void = { _ in }) -> Outcome {
        var outcome = Outcome(startedAt: 1_000_000_000)
        outcome.endedAt = 2_420_000_000
        outcome.firstContentAt = 1_312_000_000
        outcome.status = 200
        outcome.keyName = "laptop"
        outcome.operation = "createChatCompletion"
        outcome.model = "smart"
        outcome.upstream = "openai"
        outcome.promptTokens = 120
        outcome.completionTokens = 45
        outcome.finishReason = "stop"
        outcome.requestID = "id-1"
        change(&outcome)
        return outcome
    }

    private func line(_ outcome: Outcome, isTerminal: Bool = true, isColored: Bool = false) -> String {
        var line: [UInt8] = []
        let text = AccessLogText(isTerminal: isTerminal, isColored: isColored, secondsFromUTC: { _ in 3600 })
        text.append(outcome, at: 1_800_000_000_000_000_000, to: &line)
        return String(decoding: line, as: UTF8.self)
    }

    @Test func mostImportantFieldsComeFirst() {
        let expected =
            "09:00:00 200 laptop     smart > openai               312 ms       120+45   41 tok/s   1.42 s"
        #expect(line(outcome()) == expected + "         -  stop  id-1")
        #expect(line(outcome { $0.notes.cost = .known(680_000_000) }) == expected + "  $0.00068  stop  id-1")
    }

    @Test func lineHasTheAttemptsAndTheirFailures() {
        func attempt(_ upstream: String, _ error: String?, _ detail: String?) -> AttemptSummary {
            AttemptSummary(
                upstream: upstream, model: nil, key: nil, error: error, detail: detail, result: nil, duration: 1)
        }
        let alone = line(
            outcome {
                $0.errorCode = "upstream_connect"
                $0.errorDetail = "127.0.0.1:9: Connection refused"
            })
        #expect(alone.hasSuffix("upstream_connect (127.0.0.1:9: Connection refused)  id-1"))
        let several = line(
            outcome {
                $0.attempts = [
                    attempt("a", "upstream_connect", "10.0.0.7:80: Connection refused"),
                    attempt("b", "upstream_timeout", nil), attempt("c", nil, nil),
                ]
            })
        #expect(several.contains("(a: 10.0.0.7:80: Connection refused; b: upstream_timeout)"))
    }

    @Test func pathReplacesAnUnknownRoute() {
        let line = line(
            outcome {
                $0.model = nil
                $0.operation = "unmatched"
                $0.notes[.path] = "/v2/\u{1B}[31m"
            })
        #expect(line.contains(" /v2/?[31m "))
    }

    @Test func columnsAreAligned() {
        let lines = [
            line(outcome()),
            line(
                outcome {
                    $0.keyName = nil
                    $0.firstContentAt = nil
                    $0.upstream = nil
                    $0.completionTokens = nil
                }),
            line(
                outcome {
                    $0.model = nil
                    $0.promptTokens = nil
                    $0.completionTokens = nil
                    $0.firstContentAt = $0.startedAt + 12_345_678_000
                    $0.endedAt = $0.startedAt + 400_000_000_000
                }),
        ]
        let starts = lines.map { line in line.range(of: "  stop")?.lowerBound.utf16Offset(in: line) }
        #expect(starts[0] != nil && starts.allSatisfy { $0 == starts[0] }, "\(lines)")
        #expect(lines[1].contains(" -          smart ") && lines[1].contains(" 120+? "))
        #expect(
            lines[2].contains(" createChatCompletion ") && lines[2].contains(" 12.35 s ")
                && lines[2].contains(" 400 s "))
    }

    @Test(
        arguments: [
            (.known(0), "$0"), (.known(1), "$0.000000000001"), (.known(123_456_789), "$0.000123"),
            (.known(1_999_600_000_000), "$2"), (.known(12_345_000_000_000), "$12.3"), (.unknown, "$?"),
            (.known(.max), "$9220000"),
        ] as [(RequestCost, String)]) func costHasThreeSignificantDigits(_ cost: RequestCost, _ expected: String)
    {
        #expect(line(outcome { $0.notes.cost = cost }).hasSuffix(" \(expected)  stop  id-1"))
    }

    @Test func fileHasTheDate() {
        #expect(line(outcome(), isTerminal: false).hasPrefix("2027-01-15 09:00:00 200 laptop "))
    }

    @Test func failureIsNamed() {
        let text = line(
            outcome {
                $0.status = 504
                $0.end = .upstreamFailed
                $0.finishReason = nil
                $0.errorCode = "upstream_timeout"
                $0.notes[.cache] = "miss"
                $0.notes[.injectedFault] = "stall"
            })
        #expect(text.hasSuffix("  upstream_failed upstream_timeout cache=miss fault=stall  id-1"))
        #expect(line(outcome { $0.finishReason = nil }).hasSuffix("  finished  id-1"))
    }

    @Test(arguments: [(200, "32"), (404, "33"), (502, "31")])
    func colourShowsTheOutcome(_ status: Int, _ color: String) {
        let text = line(outcome { $0.status = status }, isColored: true)
        #expect(text.contains(" \u{1B}[\(color)m\(status)\u{1B}[0m "))
        #expect(text.hasSuffix("\u{1B}[2mid-1\u{1B}[0m"))
    }

    @Test func terminalControlsInItAreEscaped() {
        let text = line(outcome { $0.model = "a\u{1B}[31m\n\u{7F}\u{9B}2J\u{85}é😀\u{202E}b\u{2028}c" })
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(text.contains("a?[31m???2J?é😀?b?c > openai"))
    }
}

@Suite struct AccessLogLevelTests {
    private func lines(at least: AccessLog.Level, _ change: (inout Outcome) -> Void) -> Int {
        var outcome = Outcome(startedAt: 0)
        outcome.status = 200
        change(&outcome)
        let lines = CollectedLines()
        AccessLog(format: .json, least: least, sink: lines, realtime: { 0 }).observe(&outcome)
        return lines.all.count
    }

    @Test func eachRequestHasOneLineWithItsEnd() {
        let text = AccessLogText(isTerminal: true, isColored: true, secondsFromUTC: { _ in 0 })
        for format in [AccessLog.Format.json, .text(text)] {
            let lines = CollectedLines()
            var outcome = Outcome(startedAt: 0)
            outcome.model = "a\nb"
            AccessLog(format: format, sink: lines, realtime: { 0 }).observe(&outcome)
            #expect(lines.all.count == 1)
            #expect(lines.all[0].filter { $0 == "\n" }.count == 1 && lines.all[0].hasSuffix("\n"))
        }
    }

    @Test func lowerLevelsAreLeftOut() {
        let kinds: [(AccessLog.Level, (inout Outcome) -> Void)] = [
            (.debug, { $0.isPolled = true }), (.info, { _ in }), (.info, { $0.end = .clientGone }),
            (.info, { ($0.isPolled, $0.end) = (true, .clientGone) }), (.warn, { $0.status = 404 }),
            (.warn, { $0.end = .refused }), (.warn, { ($0.isPolled, $0.status) = (true, 401) }),
            (.error, { $0.status = 502 }), (.error, { $0.end = .upstreamFailed }), (.error, { $0.end = .timedOut }),
        ]
        for least in [AccessLog.Level.debug, .info, .warn, .error] {
            for (level, change) in kinds { #expect(lines(at: least, change) == (level >= least ? 1 : 0)) }
        }
    }
}
