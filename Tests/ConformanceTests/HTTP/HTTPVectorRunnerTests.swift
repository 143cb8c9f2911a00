import Foundation
import Testing

/// The judge against responses that are known to be right or wrong.
struct HTTPVectorRunnerTests {
    private static let livez = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let once = #"{"responses": [{"status": 200}], "connection": "any", "max_requests_seen": 1}"#
    private static let onceThenClose = once.replacing("any", with: "close")
    private static let onceThenKeep = once.replacing("any", with: "keep")
    private static let get = "GET /livez HTTP/1.1\r\nHost: {HOST}\r\n\r\n"

    private func run(
        _ answers: [String], closes: Bool = false, expect: String, input: String = get, more: String = ""
    ) async throws -> HTTPVectorReport {
        let server = try CannedServer(answers, closes: closes)
        let text = """
            [{"id": "case", "group": "g", "rule": "r", "expect": \(expect), \(more)
              "input_base64": "\(Data(input.utf8).base64EncodedString())"}]
            """
        let vectors = try JSONDecoder().decode([HTTPVector].self, from: Data(text.utf8))
        let waits = HTTPVectorWaits(
            answer: .seconds(1), wait: .milliseconds(100), close: .milliseconds(300), quiet: .milliseconds(150),
            replyBeforePart: .milliseconds(200))
        let run = HTTPVectorRun(port: server.port, key: "k", body: "{}", waits: waits) { vectors }
        let report = await run.run()
        withExtendedLifetime(server) {}
        #expect(report.passed + report.failures.count == vectors[0].ways.count)
        return report
    }

    private func expectPass(_ report: HTTPVectorReport, _ location: SourceLocation = #_sourceLocation) {
        #expect(report.passed > 0 && report.failures.isEmpty, "\(report)", sourceLocation: location)
    }

    /// Expects that every way fails for this reason.
    private func expectFailure(
        _ report: HTTPVectorReport, _ reason: String, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(report.passed == 0, sourceLocation: location)
        for failure in report.failures {
            let isNamed = failure.reasons.contains { $0.contains(reason) }
            #expect(isNamed, "\(failure)", sourceLocation: location)
        }
    }

    @Test func correctResponsesAreAccepted() async throws {
        expectPass(try await run([Self.livez], expect: Self.once))
        expectPass(try await run([Self.livez], closes: true, expect: Self.onceThenClose))
        expectPass(try await run([Self.livez, Self.livez], expect: Self.onceThenKeep))
        expectPass(try await run(["HTTP/1.1 100 Continue\r\n\r\n" + Self.livez], expect: Self.once))
    }

    @Test func bodiesOfEveryFramingAreAccepted() async throws {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\nT: v\r\n\r\n"
        expectPass(try await run([chunked, chunked], expect: Self.onceThenKeep))
        expectPass(try await run(["HTTP/1.0 200 OK\r\n\r\nuntil the end"], closes: true, expect: Self.onceThenClose))
    }

    @Test func aWrongStatusIsRejected() async throws {
        let report = try await run(["HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n"], expect: Self.once)
        expectFailure(report, "status 404, not one of [200]")
    }

    @Test func anExtraResponseIsRejected() async throws {
        expectFailure(try await run([Self.livez + Self.livez], expect: Self.once), "2 requests were answered")
        let twice = Self.livez + Self.livez
        expectFailure(try await run([twice], closes: true, expect: Self.onceThenClose), "2 requests were answered")
        expectFailure(try await run([twice, Self.livez], expect: Self.onceThenKeep), "3 requests were answered")
    }

    @Test func aMissingCloseIsRejected() async throws {
        expectFailure(try await run([Self.livez], expect: Self.onceThenClose), "the connection stays open")
    }

    @Test func aCloseInsteadOfKeepIsRejected() async throws {
        let report = try await run([Self.livez], closes: true, expect: Self.onceThenKeep)
        expectFailure(report, "the connection ended")
    }

    @Test func bytesAfterTheLastAnswerAreRejected() async throws {
        expectFailure(try await run([Self.livez + "\r\n"], expect: Self.once), "bytes after the last answer")
    }

    @Test func bothFramingFieldsAreRejected() async throws {
        let both = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"
        expectFailure(try await run([both], expect: Self.once), "both Content-Length and Transfer-Encoding")
    }

    @Test func framingFieldsIn204AreRejected() async throws {
        let expect = Self.once.replacing("200", with: "204")
        expectFailure(try await run(["HTTP/1.1 204 \r\nContent-Length: 0\r\n\r\n"], expect: expect), "framing field")
        expectPass(try await run(["HTTP/1.1 204 \r\n\r\n"], expect: expect))
    }

    @Test func wrongFieldsAreRejected() async throws {
        let expect = """
            {"responses": [{"status": 200, "header": {"allow": "(?i)GET", "x-a": null}}], "connection": "any",
             "max_requests_seen": 1}
            """
        let other = Self.livez.replacing("\r\n\r\n", with: "\r\nAllow: POST\r\n\r\n")
        let forbidden = Self.livez.replacing("\r\n\r\n", with: "\r\nAllow: get\r\nX-A:\r\n\r\n")
        let right = Self.livez.replacing("\r\n\r\n", with: "\r\nallow: HEAD, get\r\n\r\n")
        expectFailure(try await run([Self.livez], expect: expect), "field allow is missing")
        expectFailure(try await run([other], expect: expect), "field allow: POST is not")
        expectFailure(try await run([forbidden], expect: expect), "field x-a is there")
        expectPass(try await run([right], expect: expect))
    }

    @Test func fieldsByStatusVersionAndBodyAreChecked() async throws {
        let expect = """
            {"responses": [{"status": [200, 401], "version": "^HTTP/1[.]1$", "body": "json", "body_not": "canary",
             "header_if": {"401": {"www-authenticate": "(?i)bearer"}}}], "connection": "any", "max_requests_seen": 1}
            """
        let json = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        let canary = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[\"canary\"]"
        expectPass(try await run([json], expect: expect))
        let refused = json.replacing("200", with: "401")
        expectFailure(try await run([refused], expect: expect), "www-authenticate is missing")
        expectFailure(try await run([json.replacing("1.1", with: "1.0")], expect: expect), "version: HTTP/1.0 is not")
        expectFailure(try await run([Self.livez], expect: expect), "the body is not JSON")
        expectFailure(try await run([canary], expect: expect), "the body matches canary")
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\nok",
        "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok", "HTTP/2 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nok\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nok\r\n0\r\n\r\n", "{\"error\": 1}\n",
    ])
    func malformedAnswersAreRejected(_ answer: String) async throws {
        #expect(try await run([answer], expect: Self.once).passed == 0)
    }

    @Test func unfinishedAnswersAreRejected() async throws {
        let cut = String(Self.livez.dropLast())
        expectFailure(try await run([cut], expect: Self.once), "an unfinished answer")
        expectFailure(try await run([cut], closes: true, expect: Self.once), "the connection ended inside an answer")
    }

    @Test func aBodyInAnAnswerToHeadIsRejected() async throws {
        let expect = Self.once.replacing("200", with: #"200, "head": true"#)
        expectFailure(try await run([Self.livez], expect: expect), "bytes after the last answer")
        expectPass(try await run([String(Self.livez.dropLast(2))], expect: expect))
    }

    @Test func aForbiddenInterimResponseIsRejected() async throws {
        let expect = Self.once.replacing("1}", with: #"1, "interim": "forbidden"}"#)
        let interim = "HTTP/1.1 100 Continue\r\n\r\n"
        expectFailure(try await run([interim + Self.livez], expect: expect), "an interim answer")
        expectPass(try await run([Self.livez], expect: expect))
    }

    @Test func silenceIsTheOutcomeWaitAndNothingElse() async throws {
        let expect = Self.once.replacing("200", with: #"["wait", 408]"#)
        let head = "GET /livez HTTP/1.1\r\n"
        expectPass(try await run([Self.livez], expect: expect, input: head))
        expectFailure(try await run([Self.livez], expect: Self.once, input: head), "no answer within")
        expectFailure(try await run([], closes: true, expect: expect), "the connection ended without answer 1")
    }

    @Test func anEndIsTheOutcomeCloseAndEndsTheCase() async throws {
        let expect = """
            {"responses": [{"status": 200}, {"status": [200, "close"], "times": 9}], "connection": "any",
             "max_requests_seen": 10}
            """
        expectPass(try await run([Self.livez], closes: true, expect: expect))
        expectPass(try await run(Array(repeating: Self.livez, count: 10), expect: expect, input: Self.ten))
        expectFailure(try await run([Self.livez], expect: expect), "no answer within")
    }

    private static let ten = String(repeating: get, count: 10)

    @Test func aFilterWithoutCasesIsAFailure() async {
        let run = HTTPVectorRun(port: 1, key: "k", body: "{}")
        let report = await run.run(filter: "no such case")
        #expect(report.passed == 0 && report.failures.count == 1)
    }

    @Test func aMissingServerFailsEveryWay() async {
        let report = await HTTPVectorRun(port: 0, key: "k", body: "{}").run(filter: "split-method")
        #expect(report.passed == 0 && report.failures.count == 3)
    }

    @Test func aHalfCloseReachesTheServer() async throws {
        let expect = Self.onceThenClose.replacing("200", with: #"["close"]"#)
        let report = try await run([Self.livez], expect: expect, input: "GET", more: #""fin": true,"#)
        expectPass(report)
    }

    @Test func aResponseIsAwaitedBeforeAPart() async throws {
        func parts(_ first: String, _ second: String) -> String {
            let encoded = [first, second].map { Data($0.utf8).base64EncodedString() }
            return #""input_parts": [{"base64": "\#(encoded[0])", "delay_ms": 0}, "#
                + #"{"base64": "\#(encoded[1])", "delay_ms": 20}], "modes": ["whole"],"#
        }
        let expect = Self.once.replacing("1}", with: #"1, "reply_before_part": 1}"#)
        let interim = "HTTP/1.1 100 Continue\r\n\r\n"
        let early = try await run([interim, Self.livez], expect: expect, more: parts(Self.get, "\r\n\r\n"))
        expectPass(early)
        let late = try await run([Self.livez], expect: expect, more: parts("GET", " /livez HTTP/1.1\r\n\r\n"))
        expectFailure(late, "no answer before part 1")
    }
}
