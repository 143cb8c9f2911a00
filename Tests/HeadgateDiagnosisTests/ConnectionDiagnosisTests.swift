import Testing

@testable import HeadgateDiagnosis

struct ConnectionDiagnosisTests {
    private func response(_ status: Int, _ body: String, type: String = "application/json") -> WholeObservation {
        WholeObservation(status: status, fields: ["Content-Type": type], body: Array(body.utf8), endAt: 2_000_000)
    }

    @Test func eachWayOfNotReachingItHasItsAdvice() {
        let stages: [ExchangeFailure.Stage] = [.connect, .tls, .silence, .answer]
        let findings = stages.map { ConnectionDiagnosis.reachable(.failure(ExchangeFailure($0, "x")), at: "http://a") }
        #expect(findings.allSatisfy { $0.verdict == .failed })
        #expect(Set(findings.map(\.advice)).count == 4)
        #expect(ConnectionDiagnosis.reachable(.success(response(200, "")), at: "http://a").verdict == .ok)
        let exposed = ConnectionDiagnosis.reachable(.success(response(200, "")), at: "http://a", isInTheClear: true)
        #expect(exposed.measured == "http://a answers after 2.0 ms, without TLS")
        #expect(exposed.verdict == .warning)
    }

    @Test func gatewayIsKnownByItsDescription() {
        let live = response(200, #"{"status":"ok"}"#)
        let document = response(200, #"{"openapi":"3.1.0","info":{"title":"Headgate","version":"0.1.0"},"paths":{}}"#)
        #expect(ConnectionDiagnosis.gateway(liveness: live, document: document).measured == "Headgate 0.1.0")
        #expect(ConnectionDiagnosis.gateway(liveness: live, document: nil).verdict == .warning)
        let other = response(200, #"{"openapi":"3.1.0","info":{"title":"Petstore","version":"0.1.0"}}"#)
        #expect(ConnectionDiagnosis.gateway(liveness: response(404, "<html>"), document: other).verdict == .warning)
    }

    @Test func drainingGatewayIsNotReady() {
        let gateway = Finding(.gateway, .ok, "Headgate 0.1.0")
        #expect(ConnectionDiagnosis.ready(response(503, ""), gateway: gateway).verdict == .failed)
        #expect(ConnectionDiagnosis.ready(response(200, #"{"status":"ok"}"#), gateway: gateway).verdict == .ok)
        #expect(
            ConnectionDiagnosis.ready(response(404, ""), gateway: Finding(.gateway, .warning, "")).verdict == .skipped)
    }

    @Test func pageForEverythingIsNotReady() {
        let page = response(200, "<html>Welcome</html>", type: "text/html")
        let known = Finding(.gateway, .ok, "Headgate 0.1.0")
        #expect(ConnectionDiagnosis.ready(page, gateway: known).verdict == .warning)
        #expect(ConnectionDiagnosis.ready(page, gateway: Finding(.gateway, .warning, "")).verdict == .skipped)
    }

    @Test func clocksCanDifferByHalfAMinute() {
        #expect(ConnectionDiagnosis.clock(server: 1000, ours: 1030).verdict == .ok)
        #expect(ConnectionDiagnosis.clock(server: 1000, ours: 1031).measured == "its clock is 31 s behind ours")
        #expect(ConnectionDiagnosis.clock(server: nil, ours: 1031).verdict == .skipped)
    }

    @Test func refusedKeyFailsWithTheGatewaysWords() {
        let refused = response(401, #"{"error":{"message":"A valid gateway key is needed."}}"#)
        let finding = ConnectionDiagnosis.key(refused, hasKey: true)
        #expect(finding.measured == "the key is refused with 401: A valid gateway key is needed.")
        #expect(ConnectionDiagnosis.key(refused, hasKey: false).advice?.contains("HEADGATE_KEY") == true)
        #expect(ConnectionDiagnosis.key(response(502, "<html>"), hasKey: true).verdict == .failed)
        #expect(ConnectionDiagnosis.key(response(200, "{}"), hasKey: false).verdict == .ok)
    }

    @Test func acceptingAnyKeyIsAFaultOnlyIfOthersReachIt() {
        #expect(ConnectionDiagnosis.wrongKey(response(401, ""), isLocal: false).verdict == .ok)
        #expect(ConnectionDiagnosis.wrongKey(response(200, ""), isLocal: true).verdict == .ok)
        #expect(ConnectionDiagnosis.wrongKey(response(200, ""), isLocal: false).verdict == .failed)
        #expect(ConnectionDiagnosis.wrongKey(response(403, ""), isLocal: false).verdict == .warning)
    }

    @Test func modelsAreCountedAndNamed() {
        let list = response(200, #"{"object":"list","data":[{"id":"a","owned_by":"x"},{"id":"b"},{"name":"c"}]}"#)
        #expect(ConnectionDiagnosis.models(list).measured == "2: a, b")
        #expect(ConnectionDiagnosis.models(response(200, #"{"data":[]}"#)).verdict == .warning)
        #expect(ConnectionDiagnosis.models(response(200, "<html>")).verdict == .failed)
    }

    @Test func responseOfAModelIsDistinguishedFromOtherJSON() {
        let chat = response(200, #"{"choices":[{"message":{"content":"Hi"}}]}"#)
        #expect(ExchangeDiagnosis.answer(.success(chat), model: "m").verdict == .ok)
        let message = response(200, #"{"type":"message","content":[{"type":"text","text":"Hi"}]}"#)
        #expect(ExchangeDiagnosis.answer(.success(message), model: "m").verdict == .ok)
        let refused = response(404, #"{"type":"error","error":{"type":"not_found_error","message":"No such model."}}"#)
        #expect(ExchangeDiagnosis.answer(.success(refused), model: "m").measured == "m answers 404: No such model.")
        #expect(
            ExchangeDiagnosis.answer(.success(response(200, "{}")), model: "m").measured
                == "m answers 200, but not with a completion")
    }

    @Test func errorsMustStayJSON() {
        let json = response(404, #"{"error":{"message":"No.","type":"invalid_request_error"}}"#)
        #expect(ExchangeDiagnosis.errors(.success(json)).verdict == .ok)
        #expect(ExchangeDiagnosis.errors(.success(response(404, "<html>", type: "text/html"))).verdict == .failed)
        #expect(ExchangeDiagnosis.errors(.success(response(200, #"{"choices":[{}]}"#))).verdict == .skipped)
        #expect(ExchangeDiagnosis.errors(.failure(ExchangeFailure(.answer, "x"))).verdict == .failed)
    }

    @Test func onlyAStartingModelIsAwaited() {
        func seconds(_ status: Int, _ fields: ResponseFields, _ body: String = "") -> Int? {
            WholeObservation(status: status, fields: fields, body: Array(body.utf8), endAt: 1).retryAfterSeconds
        }
        #expect(seconds(503, ["Retry-After": "7"]) == 7)
        #expect(seconds(503, [:], #"{"error":{"message":"m","code":"upstream_starting"}}"#) == 2)
        #expect(seconds(503, [:]) == nil)
        #expect(seconds(429, ["Retry-After": "7"]) == nil)
        #expect(seconds(503, ["Retry-After": "-1"]) == nil)
    }

    @Test(arguments: [
        (StreamDialect.chat, false, #""max_tokens":160"#), (.chat, true, #""max_completion_tokens":160"#),
        (.messages, true, #""max_tokens":160"#),
    ])
    func probeNamesItsLimitInTheModelsTerms(dialect: StreamDialect, namesCompletionTokens: Bool, member: String) {
        let request = ProbeRequest(
            dialect, model: #"a"b"#, isStream: true, namesCompletionTokens: namesCompletionTokens)
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.hasPrefix(#"{"model":"a\"b","stream":true"#))
        #expect(body.contains(member))
    }
}
