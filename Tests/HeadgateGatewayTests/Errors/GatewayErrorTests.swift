import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct GatewayErrorTests {
    @Test func labelIsAWordOrTheStatus() {
        func label(_ code: String?) -> String {
            GatewayError(429, type: "t", code: code, message: "m", cause: .upstreamStatus(429)).label
        }
        #expect(label("rate_limit.exceeded-2") == "rate_limit.exceeded-2")
        for prose in [nil, "", "two words", "é", "[redacted]", "a\n", String(repeating: "a", count: 65)] {
            #expect(label(prose) == "status_429", "\(prose ?? "nil")")
        }
    }

    /// Each label is a series that Prometheus stores.
    @Test func metricsDoNotTakeTheCodesOfUpstreams() {
        func label(_ cause: GatewayError.Cause) -> String {
            GatewayError(429, type: "t", code: "code_of_its_own", message: "m", cause: cause).metricLabel
        }
        #expect(label(.upstreamStatus(429)) == "status_429" && label(.quotaExhausted) == "insufficient_quota")
        #expect(label(.errorInSuccess) == "upstream_error")
        #expect(GatewayError.totalTimeout.metricLabel == "request_timeout")
        #expect(GatewayError.syntax(.bodyTimeout).metricLabel == "status_408")
    }

    @Test(arguments: [
        (TransportError.Kind.connect, 502, "upstream_connect"), (.connectTimeout, 502, "upstream_connect"),
        (.unreachable, 502, "upstream_connect"), (.tls, 502, "upstream_tls"), (.encoding, 502, "upstream_encoding"),
        (.responseTimeout, 504, "upstream_timeout"),
        (.silenceTimeout, 504, "upstream_timeout"), (.closedBeforeResponse, 502, "upstream_disconnected"),
        (.truncatedBody, 502, "upstream_incomplete"), (.protocolViolation, 502, "upstream_protocol"),
        (.unavailable, 502, "upstream_unavailable"), (.notReady, 503, "upstream_starting"),
        (.noKey, 503, "upstream_no_key"), (.busy, 503, "upstream_busy"),
    ])
    func everyTransportErrorHasItsStatus(_ kind: TransportError.Kind, _ status: Int, _ code: String) {
        let error = GatewayError.transport(TransportError(kind, "10.0.0.1 said no"), upstream: "up")
        #expect(error.status == status && error.code == code && error.origin == .upstream)
        let mayShowDetail = [.notReady, .busy, .noKey, .unavailable, .tls, .encoding].contains(kind)
        #expect(error.message.contains("10.0.0.1") == mayShowDetail)
        #expect((error.headerFields[.retryAfter] != nil) == [.notReady, .busy, .noKey].contains(kind))
    }

    @Test func clientAndGatewayFaultsAreReported() {
        #expect(GatewayError.syntax(.headTimeout).origin == .downstream)
        let full = GatewayError.syntax(.atConnectionLimit)
        #expect(full.origin == .gateway && full.status == 503 && full.headerFields[.retryAfter] == "1")
        struct Odd: Error { let secret = "hunter2" }
        let odd = GatewayError(Odd())
        #expect(odd.status == 500 && odd.origin == .gateway)
        #expect(!odd.message.contains("hunter2") && odd.detail?.contains("hunter2") == false)
    }

    @Test(arguments: [
        (GatewayError.invalidKey, Outcome.End.refused, "invalid_api_key"),
        (.syntax(.bodyTimeout), .timedOut, "status_408"), (.syntax(.atConnectionLimit), .refused, "status_503"),
        (.incompleteStream(), .upstreamFailed, "upstream_incomplete"),
        (.transport(TransportError(.responseTimeout), upstream: "up"), .timedOut, "upstream_timeout"),
        (.shuttingDown, .refused, "gateway_shutdown"),
    ])
    func errorDeterminesTheOutcome(_ error: GatewayError, _ end: Outcome.End, _ label: String) {
        let record = RequestRecord { 0 }
        record.note(error)
        #expect(record.facts.decidedEnd == end)
        #expect(record.facts.errorCode == label && record.facts.errorLabel == label)
    }

    @Test(arguments: ["a", "Z9", "model_not-found.v2", String(repeating: "x", count: 64)])
    func codeOfOneWordIsFitForALog(_ code: String) { #expect(GatewayError.isWord(code)) }

    @Test(arguments: [
        "", "a b", "a/b", "a:b", "a@b", "a[b", "a`b", "a{b", "a,b", "\u{E9}", String(repeating: "x", count: 65),
    ])
    func otherCodesAreNot(_ code: String) { #expect(!GatewayError.isWord(code)) }

    @Test func upstreamsCodeIsOnlyLogged() {
        let record = RequestRecord { 0 }
        record.note(GatewayError(400, type: "t", code: "its_own", message: "m", cause: .upstreamStatus(400)))
        #expect(record.facts.errorCode == "its_own" && record.facts.errorLabel == "status_400")
        record.complete(.timedOut)
        #expect(record.facts.errorCode == "client_stalled" && record.facts.errorLabel == "client_stalled")
    }
}
