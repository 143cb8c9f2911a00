import HTTPTypes
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateOpenAPI
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateKit

/// Additions of programs through HeadgateKit, in a gateway on real sockets.
@Suite struct CustomGatewayTests {
    private func gateway(
        _ script: UpstreamScript, _ add: (inout GatewayAdditions) -> Void
    ) throws -> RunningGateway {
        var additions = GatewayAdditions()
        add(&additions)
        try additions.check()
        return try RunningGateway(script, adding: additions.capabilities)
    }

    /// Replaces a word by `***` in the request and in whole responses.
    private struct Redaction: ServerMiddleware {
        let word: String

        func intercept(
            _ request: HTTPRequest, body: HTTPBody?, metadata: ServerRequestMetadata, operationID: String,
            next: OperationHandler
        ) async throws -> (HTTPResponse, HTTPBody?) {
            let text = String(decoding: try await body?.collect(upTo: 1 << 20) ?? [], as: UTF8.self)
            let redacted = text.split(separator: word, omittingEmptySubsequences: false).joined(separator: "***")
            var (response, body) = try await next(request, .bytes(Array(redacted.utf8)), metadata)
            response.headerFields[HTTPField.Name("x-redacted-for")!] = metadata.keyName
            if response.headerFields[.contentType] == "application/json", let whole = body {
                body = .bytes(try await whole.collect(upTo: 1 << 20) + Array("\n".utf8))
            }
            return (response, body)
        }
    }

    @Test(arguments: [nil, CapabilityName.cache, "limits"])
    func middlewareAroundRequestsChangesThemAndTheirResponses(_ place: CapabilityName?) async throws {
        let running = try gateway(UpstreamScript(always: .chatCompletion("fine"))) {
            $0.use(Redaction(word: "secret"), before: place)
        }
        let response = try await running.ask(RunningGateway.body(stream: false, extra: #","user":"a secret b""#))
        #expect(response.status == 200 && response.text.contains("fine") && response.text.hasSuffix("}\n"))
        #expect(response.headers["x-redacted-for"] == "test")
        let request = try #require(running.upstream.requests.first)
        #expect(String(decoding: request.body, as: UTF8.self).contains(#""user":"a *** b""#))
    }

    @Test func streamPassesMiddlewareAsItArrives() async throws {
        let running = try gateway(
            UpstreamScript(always: .chatStream(words: ["one", "two"]).stalling(afterChunks: 2))
        ) { $0.use(Redaction(word: "secret")) }
        let stream = try await running.openStream()
        // The upstream stalls after bytes that have passed the middleware.
        #expect(try await stream.nextEvent()?.isEmpty == false)
        stream.close()
        _ = try await running.upstream.nextPeerClosed()
        #expect(await running.log.next().contains(#""outcome":"client_gone""#))
    }

    @Test func invalidRewrittenBodyIsRefusedInTheDialect() async throws {
        let running = try gateway(UpstreamScript(always: .chatCompletion("never"))) {
            $0.use(Redaction(word: "messages"))
        }
        let response = try await running.ask()
        #expect(response.status == 400 && response.text.contains("The member 'messages' is missing"))
        #expect(running.upstream.requests.isEmpty)
    }

    private struct Refusal: ServerMiddleware, Error {
        func intercept(
            _: HTTPRequest, body _: HTTPBody?, metadata _: ServerRequestMetadata, operationID _: String,
            next _: OperationHandler
        ) async throws -> (HTTPResponse, HTTPBody?) { throw self }
    }

    @Test func throwingMiddlewareIsAnErrorWithoutDetails() async throws {
        let running = try gateway(UpstreamScript(always: .chatCompletion("never"))) { $0.use(Refusal()) }
        let response = try await running.ask()
        #expect(response.status == 500 && !response.text.contains("Refusal"), "\(response.text)")
        #expect(running.upstream.requests.isEmpty)
    }

    @Test func observerGetsOneReportOfEachRequest() async throws {
        let reports = Mailbox<RequestReport>()
        let running = try gateway(UpstreamScript(always: .chatStream(words: ["one"]))) { gateway in
            gateway.observe { reports.post($0) }
        }
        _ = try await running.openStream().readEvents()
        let report = try #require(try await reports.next(timeout: .seconds(60), "a report"))
        #expect(report.operation == "createChatCompletion" && report.key == "test" && report.model == "scripted")
        #expect(report.status == 200 && report.isStream && report.end == "finished" && report.errorCode == nil)
        #expect(report.timeToFirstContent != nil && report.duration > 0)
    }

    @Test func ownRoutesAreNextToTheGateways() async throws {
        let running = try gateway(UpstreamScript(always: .chatCompletion("never"))) { gateway in
            gateway.get("/hello/{name}", needsKey: false) { _, _, metadata in
                let text = "hello \(metadata.parameter("name") ?? "nobody") \(metadata.keyName ?? "-")"
                return (HTTPResponse(status: .ok), .bytes(Array(text.utf8)))
            }
            gateway.post("/echo") { _, body, metadata in
                let bytes = try await body?.collect(upTo: 1 << 10) ?? []
                var response = HTTPResponse(status: .ok)
                // The server replaces the framing headers.
                response.headerFields[.contentLength] = "1"
                response.headerFields[.contentType] = "application/json"
                return (response, .bytes(Array((metadata.keyName ?? "-").utf8) + bytes))
            }
        }
        let host: HeaderLines = ["Host": "127.0.0.1:\(running.port)"]
        let open = try await running.client.request("GET", "/hello/Ada%20L", headers: host, port: running.port)
        #expect(open.status == 200 && open.text == "hello Ada L -")
        let echoed = try await running.client.post(
            "/echo", headers: running.headers, json: #"{"a":1}"#, port: running.port)
        #expect(echoed.status == 200 && echoed.text == #"test{"a":1}"#)
        let refused = try await running.client.post("/echo", headers: host, json: "{}", port: running.port)
        #expect(refused.status == 401)
    }
}
