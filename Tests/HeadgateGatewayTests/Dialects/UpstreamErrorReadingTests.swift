import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateRelay

@Suite struct UpstreamErrorReadingTests {
    private let reading = UpstreamErrorReading(upstream: "up", redaction: SecretRedaction(keys: [Secret("sk-secret")]))

    private func error(_ status: Int, _ body: String = "", _ fields: HTTPFields = [:]) -> GatewayError {
        reading.error(status: status, headerFields: fields, body: Array(body.utf8))
    }

    @Test(arguments: [
        // The upstream's status, and the client's status, type and code.
        (400, 400, "invalid_request_error", "upstream_error"), (401, 502, "server_error", "upstream_auth"),
        (403, 403, "permission_error", "upstream_error"), (404, 404, "invalid_request_error", "upstream_error"),
        (413, 413, "invalid_request_error", "upstream_error"), (429, 429, "rate_limit_error", "upstream_error"),
        (500, 500, "server_error", "upstream_error"), (503, 503, "server_error", "upstream_error"),
        (529, 529, "server_error", "upstream_error"), (301, 502, "server_error", "upstream_redirect"),
        (307, 502, "server_error", "upstream_redirect"), (304, 502, "server_error", "upstream_redirect"),
    ])
    func statusTable(_ status: Int, _ expected: Int, _ type: String, _ code: String) {
        for body in ["", "<html>sk-secret</html>", "{}", "{\"error\":null}", "{\"error\""] {
            let error = error(status, body)
            #expect(error.status == expected)
            #expect(error.type == type)
            #expect(error.code == code)
            #expect(error.origin == .upstream)
            #expect(!error.message.contains("secret"))
        }
    }

    @Test func typeIsLoggedAndTheMessageOnlyOnRequest() {
        let body = #"{"error":{"message":"Bad prompt: hunter2 sk-secret","type":"invalid_request_error","code":"bad"}}"#
        #expect(error(400, body).detail == "invalid_request_error")
        #expect(error(400, #"{"error":{"message":"m","type":"a type of words"}}"#).detail == nil)
        let talkative = UpstreamErrorReading(
            upstream: "up", redaction: SecretRedaction(keys: [Secret("sk-secret")]), logsWords: true)
        func detail(_ body: String) -> String? {
            talkative.error(status: 400, headerFields: [:], body: Array(body.utf8)).detail
        }
        #expect(detail(body) == "invalid_request_error: Bad prompt: hunter2 [redacted]")
        #expect(detail("No such thing.") == "No such thing.")
        #expect(detail("{}") == nil)
    }

    @Test func upstreamMessagesAboutItsKeyAreNotForwarded() {
        let error = error(
            401, #"{"error":{"message":"Incorrect API key provided: sk-sec***","code":"invalid_api_key"}}"#)
        #expect(error.message.contains("'up'") && error.message.contains("api_key") && !error.message.contains("sk-"))
        #expect(error.headerFields[.xShouldRetry] == "false")
    }

    @Test func messageTypeCodeAndParameterPass() {
        let error = error(
            400,
            #"{"x":1,"error":{"message":"too long","type":"t","param":"messages","code":"context_length_exceeded","y":[]}}"#
        )
        #expect(error.status == 400 && error.message == "too long" && error.type == "t")
        #expect(error.parameter == "messages" && error.code == "context_length_exceeded")
    }

    @Test(arguments: [
        (#"{"error":{"message":["a","b",3,"c"],"code":429,"type":null,"param":["x","y"]}}"#, "a; b; c", "429", "x,y"),
        (#"{"error":{"message":"m","code":null}}"#, "m", nil, nil), (#"{"error":"just text"}"#, "just text", nil, nil),
        (#"{"error":["a","b"]}"#, "a; b", nil, nil),
        (#"[{"error":{"message":"in an array"}}]"#, "in an array", nil, nil),
        (#"{"\u0065rror":{"mess\u0061ge":"\u00e9\n"}}"#, "é\n", nil, nil),
        (#"{"error":{"message":""}}"#, "The upstream 'up' answered with status 500.", nil, nil),
        (#"{"error":{"message":{"deep":1}}}"#, "The upstream 'up' answered with status 500.", nil, nil),
        (#"{"error":true}"#, "The upstream 'up' answered with status 500.", nil, nil),
    ])
    func everyShapeIsRead(_ body: String, _ message: String, _ code: String?, _ parameter: String?) {
        let error = error(500, body)
        #expect(error.status == 500 && error.type == "server_error")
        #expect(error.message == message)
        #expect(error.code == code)
        #expect(error.parameter == parameter)
    }

    @Test(arguments: [
        (#"{"message":"m","type":"BadRequestError","param":"n","code":400}"#, "m", "BadRequestError", "400", "n"),
        (#"{"object":"error","message":"m"}"#, "m", "invalid_request_error", nil, nil),
        (#"{"detail":"Not Found"}"#, "Not Found", "invalid_request_error", nil, nil),
        (#"{"type":"error","message":"m"}"#, "m", "invalid_request_error", nil, nil),
        (#"{"detail":"sk-secret!"}"#, "[redacted]!", "invalid_request_error", nil, nil),
        (#"{"detail":[{"loc":["body"],"msg":"x"}]}"#, "body: x", "invalid_request_error", nil, nil),
    ])
    func bodyWithoutAnErrorMemberIsReadToo(
        _ body: String, _ message: String, _ type: String, _ code: String?, _ parameter: String?
    ) {
        let error = error(422, body)
        #expect(error.status == 422 && error.message == message && error.type == type)
        #expect(error.code == code && error.parameter == parameter)
    }

    /// Responses of proxies, clouds and web servers that are not JSON.
    @Test(arguments: [
        (
            "upstream connect error or disconnect/reset\n before headers",
            "upstream connect error or disconnect/reset before headers"
        ),
        ("<!DOCTYPE html><html><head><TITLE>502 Bad &amp; Gateway</TITLE></head></html>", "502 Bad & Gateway"),
        (#"<?xml version="1.0"?><Error><Code>Denied</Code><Message>No such &#x41;PI</Message></Error>"#, "No such API"),
        ("key sk-secret is wrong", "key [redacted] is wrong"),
        ("{'detail': 'as Python writes it'}", "{'detail': 'as Python writes it'}"),
    ])
    func textAndMarkupErrorsKeepTheirMessage(_ body: String, _ words: String) {
        let error = error(503, body)
        #expect(error.message == "The upstream 'up' answered with status 503: \(words)")
        #expect(error.code == "upstream_error" && error.cause == .upstreamStatus(503))
    }

    @Test func emptyAccountIsNotWorthARetry() {
        #expect(error(429, #"{"error":{"code":"insufficient_quota"}}"#).headerFields[.xShouldRetry] == "false")
        #expect(error(429, #"{"error":{"code":"rate_limit_exceeded"}}"#).headerFields[.xShouldRetry] == nil)
    }

    // MARK: Redaction

    @Test func secretIsRedactedEverywhere() {
        let text = #"a sk-secret b sk-sk-secret"#
        let error = error(
            400, #"{"error":{"message":"\#(text)","type":"\#(text)","param":"\#(text)","code":"s\u006b-secret"}}"#)
        let expected = "a [redacted] b sk-[redacted]"
        #expect(error.message == expected && error.type == expected && error.parameter == expected)
        #expect(error.code == "[redacted]")
    }

    @Test func secretAcrossTheCutLeavesNoBeginning() {
        for length in 1985...2005 {
            let cut = reading.redacted(String(repeating: "x", count: length) + "sk-secret and more")
            #expect(!cut.contains("s"), "after \(length)")
            #expect(cut.count <= 2000)
        }
    }

    @Test func shorteningRedactionRevealsNoSecret() {
        let key = "sk-" + String(repeating: "k", count: 200)
        let long = UpstreamErrorReading(upstream: "up", redaction: SecretRedaction(keys: [Secret(key)]))
        let cut = long.redacted(String(repeating: key, count: 25))
        #expect(!cut.contains("k-") && !cut.contains("kk"))
    }

    @Test func textIsCutAt2000CharactersAndStaysText() {
        let open = UpstreamErrorReading(upstream: "up", redaction: SecretRedaction(keys: []))
        for reading in [reading, open] {
            for character in ["x", "é", "\u{1F600}"] {
                let cut = reading.redacted(String(repeating: character, count: 5000))
                #expect(cut == String(repeating: character, count: 2000))
            }
        }
    }

    // MARK: Retry-After

    @Test(arguments: [
        ("7", "7"), ("0", "0"), ("120", "120"), ("121", "120"), ("99999999999999999999999999", "120"), ("-1", nil),
        ("+5", nil),
        ("1.5", nil), ("", nil), ("soon", nil), ("x GMT", nil), ("7\r\nX: y", nil),
        ("Thu, 01 Jan 2026 00:00:30 GMT", "30"), ("Fri, 31 Dec 9999 23:59:59 GMT", "120"),
        ("Wed, 31 Dec 2025 23:59:59 GMT", "0"), ("Thursday, 01-Jan-26 00:00:30 GMT", nil),
    ])
    func retryAfterIsClamped(_ value: String, _ expected: String?) {
        var fields: HTTPFields = [.date: "Thu, 01 Jan 2026 00:00:00 GMT"]
        fields[.retryAfter] = value
        #expect(UpstreamErrorReading.retryAfter(fields) == expected)
        #expect(error(429, "", fields).headerFields[.retryAfter] == expected)
    }

    @Test func retryDateIsIgnoredWithoutAResponseDate() {
        #expect(UpstreamErrorReading.retryAfter([.retryAfter: "Thu, 01 Jan 2026 00:00:30 GMT"]) == nil)
        #expect(UpstreamErrorReading.retryAfter([:]) == nil)
    }

    @Test func messageOfAVeryLongErrorIsNotRead() {
        func read(_ size: Int) -> [GatewayError?] {
            let frame = #"{"error":{"message":""}}"#
            let text = #"{"error":{"message":"\#(String(repeating: "x", count: size - frame.utf8.count))"}}"#
            return Array(text.utf8).withUnsafeBytes {
                let errors = Relayed.options().errors
                return [errors.read($0), errors.readFailure($0)]
            }
        }
        #expect(read(256 << 10).allSatisfy { $0?.message.hasPrefix("xxx") == true })
        #expect(read((256 << 10) + 1).allSatisfy { $0 == nil || $0?.message.contains("x") == false })
    }
}
