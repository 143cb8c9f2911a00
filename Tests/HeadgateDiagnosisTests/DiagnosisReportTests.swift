import Testing

@testable import HeadgateDiagnosis

struct DiagnosisReportTests {
    private let report = DiagnosisReport(
        address: "http://127.0.0.1:8686", direct: nil, model: "m",
        findings: [
            Finding(.reachable, .ok, "answers", figures: [.init("answer_ms", nanoseconds: 1_234_567)]),
            Finding(.end, .failed, "no [DONE], key hg-secret", advice: "Look."), .skipped(.utf8, "nothing"),
        ])

    @Test func linesHaveReasonsAndAdvice() {
        #expect(
            report.lines(isColoured: false, isVerbose: false) == [
                "Headgate doctor: http://127.0.0.1:8686",
                "model: m",
                "",
                "ok       reachable     answers",
                "failed   end marked    no [DONE], key hg-secret",
                "         why: Only the end marker tells a whole answer from one that was cut off.",
                "         do:  Look.",
                "skipped  UTF-8 intact  nothing",
                "",
                "1 ok, 0 warnings, 1 failed, 1 skipped",
            ])
    }

    @Test func coloursAreOnlyForTerminalsWithThem() {
        #expect(!report.lines(isColoured: false, isVerbose: true).joined().contains("\u{1B}"))
        #expect(
            report.lines(isColoured: true, isVerbose: false).contains { $0.hasPrefix("\u{1B}[31mfailed   \u{1B}[0m") })
    }

    @Test func documentHasEveryCheckAndItsFigures() {
        let text = String(decoding: report.json, as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"url":"http://127.0.0.1:8686","direct":null,"model":"m","healthy":false,"#
                    + #""counts":{"ok":1,"warning":0,"failed":1,"skipped":1},"checks":[{"id":"reachable""#))
        #expect(text.contains(#""advice":null,"figures":{"answer_ms":1.234}}"#))
    }

    @Test func repeatedSecretIsRedacted() {
        func measured(_ text: String, model: String? = nil) -> DiagnosisReport {
            DiagnosisReport(
                address: "a", direct: nil, model: model, findings: [Finding(.end, .failed, text)],
                secrets: ["hg-secret", "hg-secret-2", ""])
        }
        #expect(measured("no [DONE], key hg-secret").findings[0].measured == "no [DONE], key <redacted>")
        #expect(measured("hg-secret-2, hg-secret").findings[0].measured == "<redacted>, <redacted>")
        #expect(!measured("hg-secret\u{301}").findings[0].measured.unicodeScalars.starts(with: "hg".unicodeScalars))
        #expect(measured("x", model: "hg-secret").model == "<redacted>")
    }

    @Test(arguments: 225...245) func secretAtTheEndOfALineLeavesNoPart(offset: Int) {
        let text = String(repeating: "x", count: offset) + "hg-secret" + String(repeating: "y", count: 100)
        let report = DiagnosisReport(
            address: "a", direct: nil, model: nil, findings: [Finding(.end, .failed, text)], secrets: ["hg-secret"])
        #expect(!report.findings[0].measured.contains("hg"))
        #expect(report.findings[0].measured.count <= 243)
    }

    @Test func findingsOfAReportArePrintable() {
        let report = DiagnosisReport(
            address: "a", direct: nil, model: nil, findings: [Finding(.end, .failed, "a\u{1B}[2Jb")])
        #expect(report.findings[0].measured == "a\u{FFFD}[2Jb")
    }

    @Test func textOfServersIsMadePrintable() {
        #expect(Printable.line("a\u{1B}[2Jb\nc\u{9B}d\u{202E}e") == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}d\u{FFFD}e")
        #expect(Printable.line(String(repeating: "x", count: 500)).count == 243)
    }

    @Test func everyCheckHasATitleAndAReason() {
        #expect(Set(Check.allCases.map(\.title)).count == Check.allCases.count)
        #expect(Set(Check.allCases.map(\.why)).count == Check.allCases.count)
    }
}
