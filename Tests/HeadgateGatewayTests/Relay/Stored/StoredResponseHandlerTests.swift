import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct StoredResponseHandlerTests {
    private typealias Plan = PlannedTransport.Plan

    private static let unknown = Plan.json(#"{"error":{"message":"No such response","code":"x"}}"#, status: 404)
    private let document = #"{ "id":"resp_1","object":"response","model":"inner","status":"completed" }"#

    @Test(arguments: [
        (HTTPRequest.Method.get, "", HTTPRequest.Method.get, "retrieveResponse"), (.head, "", .get, "retrieveResponse"),
        (.delete, "", .delete, "deleteResponse"), (.post, "/cancel", .post, "cancelResponse"),
        (.get, "/input_items", .get, "listResponseInputItems"),
    ])
    func requestGoesToTheUpstreamsOwnPath(
        _ method: HTTPRequest.Method, _ suffix: String, _ sentMethod: HTTPRequest.Method, _ operation: String
    ) async throws {
        let gateway = DialectGateway(.json(document))
        for path in ["/v1/responses/resp_1\(suffix)", "/responses/resp_1\(suffix)?x=1"] {
            let answer = await gateway.running.ask(method, path)
            #expect(answer.status == 200 && answer.text == document)
            #expect(answer.headerFields[.contentType] == "application/json")
        }
        #expect(gateway.sent.count == 2)
        for sent in gateway.openAI.requests {
            #expect(sent.head.method == sentMethod && sent.head.path == "/v1/responses/resp_1\(suffix)")
            #expect(sent.operationID == operation && sent.body.isEmpty)
            #expect(sent.head.headerFields[.authorization] == "Bearer \(InProcessGateway.upstreamKey)")
            #expect(sent.head.headerFields[.accept] == "application/json")
        }
        let line = try gateway.running.log.members()
        #expect(line["operation"] == operation && line["upstream"] == "open" && line["outcome"] == "finished")
    }

    @Test(arguments: [
        ("", ""), ("?", ""), ("?limit=5&order=asc&after=item_1", "?limit=5&order=asc&after=item_1"),
        ("?include[]=a.b&include%5B%5D=c&include=d", "?include[]=a.b&include%5B%5D=c&include=d"),
        ("?api-version=1&key=k&limit=2&x", "?limit=2"),
        ("?before=b%20c&starting_after=7", "?before=b%20c&starting_after=7"),
        ("?include_obfuscation=false", "?include_obfuscation=false"), ("?%zz=1&&=&limit=1", "?limit=1"),
        ("?stream=false", "?stream=false"), ("?after=stream=true", "?after=stream=true"),
        ("?after=stream=&stream=false", "?after=stream=&stream=false"),
    ])
    func validParametersPassUnchanged(_ query: String, _ passed: String) async {
        let gateway = DialectGateway(.json(document))
        let answer = await gateway.running.ask(.get, "/v1/responses/resp_1" + query)
        #expect(answer.status == 200 && answer.text == document)
        #expect(gateway.openAI.requests.map(\.head.path) == ["/v1/responses/resp_1" + passed])
    }

    @Test(arguments: [
        ("stream=1", "stream"), ("stream", "stream"), ("stream=true&stream=false", "stream"), ("limit=", "limit"),
        ("limit=-1", "limit"), ("strea%6D=true&stream=false", "stream"),
        ("limit=1e3", "limit"), ("starting_after=x", "starting_after"), ("starting_after=1.5", "starting_after"),
        ("include_obfuscation=yes", "include_obfuscation"), ("after=a b", "after"), ("order=a#b", "order"),
        ("after=\u{e9}", "after"),
    ])
    func nonsensicalParameterIsRefusedByName(_ query: String, _ name: String) async {
        let gateway = DialectGateway(.json(document))
        let answer = await gateway.running.ask(.get, "/v1/responses/resp_1?" + query)
        #expect(answer.status == 400 && answer.isError(code: "invalid_value"))
        #expect(answer.text.contains("'\(name)'") && answer.text.contains(#""param":"\#(name)""#))
        #expect(gateway.sent.isEmpty)
    }

    @Test func lookupIsInFlightAtTheUpstreamItAsks() {
        let routing = ManualRouting(targets: 2)
        func inFlight() -> [Int] { routing.snapshot.relay.upstreams.map(\.activity.requestsInFlight) }
        let exchange = routing.ask(.get, "/v1/responses/resp_1", [:])
        #expect(inFlight() == [1, 0])
        routing.upstreams[0].calls[0].fail(.connect)
        #expect(inFlight() == [0, 1])
        routing.upstreams[1].calls[0].respond(type: "application/json")
        routing.upstreams[1].calls[0].body.send(document)
        routing.upstreams[1].calls[0].body.finish()
        exchange.complete()
        #expect(exchange.status == 200 && inFlight() == [0, 0])
    }

    @Test func onlyARetrievedResponseIsAStream() async {
        let gateway = DialectGateway(.json(document))
        for (method, suffix): (HTTPRequest.Method, String) in [
            (.delete, ""), (.post, "/cancel"), (.get, "/input_items"),
        ] {
            let answer = await gateway.running.ask(method, "/v1/responses/resp_1\(suffix)?stream=true")
            #expect(answer.status == 200 && answer.text == document)
            #expect(gateway.openAI.requests.last?.head.path == "/v1/responses/resp_1\(suffix)")
        }
    }

    @Test(arguments: [
        "a/b", "..", ".", "a.b", "%2e%2e", "resp%5F1", "a%2Fb", "a b", "a;b", "a:b", "\u{e9}", "a\\b", "a//", "@x",
        String(repeating: "x", count: 257),
    ])
    func malformedIDIsUnknownWithoutAQuery(_ id: String) async {
        let gateway = DialectGateway(.json(document))
        for (method, suffix): (HTTPRequest.Method, String) in [
            (.get, ""), (.delete, ""), (.post, "/cancel"), (.get, "/input_items"),
        ] {
            let answer = await gateway.running.ask(method, "/v1/responses/\(id)\(suffix)")
            #expect(answer.status == 404 && answer.isError(code: "response_not_found"), "\(answer.text)")
        }
        #expect(gateway.sent.isEmpty)
    }

    @Test func longestIDIsQueried() async {
        let gateway = DialectGateway(.json(document))
        let id = String(repeating: "x", count: 250) + "-_AZ09"
        #expect(await gateway.running.ask(.get, "/v1/responses/\(id)").status == 200)
    }

    // MARK: Several upstreams

    @Test func nextUpstreamIsQueriedAfterANotFound() async throws {
        let gateway = DialectGateway(openAI: StoredResponseHandlerTests.unknown, second: .json(document))
        let answer = await gateway.running.ask(.delete, "/v1/responses/resp_1")
        #expect(answer.status == 200 && answer.text == document)
        #expect(gateway.openAI.requests.count == 1)
        #expect(gateway.second.requests.map(\.head.path) == ["/responses/resp_1"])
        #expect(gateway.azure.requests.isEmpty)
        #expect(try gateway.running.log.members()["upstream"] == "second")
    }

    @Test func responseUnknownEverywhereIsNotFound() async {
        let gateway = DialectGateway(StoredResponseHandlerTests.unknown)
        let answer = await gateway.running.ask(.get, "/v1/responses/resp_1?limit=1")
        #expect(answer.status == 404 && answer.isError(code: "response_not_found"))
        #expect(answer.text.contains(#""param":"response_id""#))
        #expect(gateway.anthropic.requests.isEmpty)
        #expect(
            gateway.azure.requests.map(\.head.path) == [
                "/openai/v1/responses/resp_1?limit=1", "/openai/responses/resp_1?limit=1&api-version=2024-10-21",
            ])
    }

    @Test(arguments: [
        (Plan.failing(.connect), 502), (.failing(.responseTimeout), 504), (.failing(.notReady, "It is loading"), 503),
        (.json("{}", status: 500), 500), (.json("{}", status: 401), 502), (.json("", status: 405), 405),
    ])
    func upstreamFailureCountsOnlyIfNoOtherHasTheResponse(_ plan: PlannedTransport.Plan, _ status: Int) async {
        let found = DialectGateway(openAI: plan, second: .json(document))
        #expect(await found.running.ask(.get, "/v1/responses/resp_1").text == document)
        let lost = DialectGateway(StoredResponseHandlerTests.unknown, openAI: plan)
        #expect(await lost.running.ask(.get, "/v1/responses/resp_1").status == status)
    }

    @Test func upstreamThatHasItAndRefusesIsTheLast() async {
        let refusal = Plan.json(#"{"error":{"message":"it is not running","code":"c"}}"#, status: 400)
        let gateway = DialectGateway(openAI: refusal, second: .json(document))
        let answer = await gateway.running.ask(.post, "/v1/responses/resp_1/cancel")
        #expect(answer.status == 400 && answer.isError(code: "c") && gateway.second.requests.isEmpty)
    }

    @Test func keyQueriesOnlyUpstreamsOfItsModels() async {
        let gateway = DialectGateway(StoredResponseHandlerTests.unknown, storedResponses: .any)
        let answer = await gateway.running.ask(.get, "/v1/responses/resp_1", key: InProcessGateway.limitedKey)
        #expect(answer.status == 404)
        #expect(gateway.openAI.requests.count == 1 && gateway.sent.count == 1)
        #expect(await gateway.running.ask(.get, "/v1/responses/resp_1", key: nil).status == 401)
        #expect(gateway.sent.count == 1)
    }

    // MARK: Responses

    @Test(arguments: [
        (#"{"error":{"message":"m","code":"c"}}"#, "c"), ("<html>", "upstream_invalid_json"),
        ("", "upstream_invalid_json"),
    ])
    func invalidStoredDocumentIsABadGateway(_ body: String, _ code: String) async {
        let gateway = DialectGateway(StoredResponseHandlerTests.unknown, openAI: .json(body))
        let answer = await gateway.running.ask(.get, "/v1/responses/resp_1")
        #expect(answer.status == 502 && answer.isError(code: code))
    }

    @Test func streamIsReplayedFromTheRequestedEvent() async throws {
        let rest = Typed.events(Array(Typed.response.dropFirst(2)))
        let gateway = DialectGateway(Plan(headerFields: [.contentType: "text/event-stream"], chunks: [rest]))
        let answer = await gateway.running.ask(.get, "/v1/responses/resp_1?stream=true&starting_after=1")
        #expect(answer.status == 200 && answer.text == rest + "data: [DONE]\n\n" && answer.bodyEnds == ["complete"])
        #expect(answer.headerFields[.contentType] == "text/event-stream; charset=utf-8")
        let sent = try #require(gateway.openAI.requests.first)
        #expect(sent.head.path == "/v1/responses/resp_1?stream=true&starting_after=1")
        #expect(sent.head.headerFields[.accept] == "text/event-stream")
        let line = try gateway.running.log.members()
        #expect(line["stream"] == "true" && line["events"] == "3" && line["finish_reason"] == "completed")
    }

    @Test func truncatedReplayFailsUnderItsOwnID() async throws {
        let before = Typed.events(Typed.outputText("a", 7))
        let gateway = DialectGateway(
            Plan(
                headerFields: [.contentType: "Text/Event-Stream; charset=utf-8"], chunks: [before],
                end: .failure(TransportError(.truncatedBody))))
        let answer = await gateway.running.ask(.get, "/v1/responses/resp_9?stream=true&starting_after=6")
        #expect(
            answer.text.hasPrefix(
                before
                    + "event: response.failed\n"
                    + #"data: {"type":"response.failed","sequence_number":8,"response":{"id":"resp_9","#
            ))
        #expect(answer.bodyEnds == ["completeThenClose"])
        #expect(try gateway.running.log.members()["error"] == "upstream_incomplete")
    }

    @Test(arguments: ["", "data: x\n\n", #"{"error":{"message":"m"}}"#])
    func replayThatNeverBeginsIsTriedAtTheNextUpstream(_ body: String) async {
        let fields: HTTPFields = [.contentType: "text/event-stream"]
        let gateway = DialectGateway(
            openAI: Plan(headerFields: fields, chunks: [body]),
            second: Plan(headerFields: fields, chunks: [Typed.events(Typed.completed)]))
        let answer = await gateway.running.ask(.get, "/v1/responses/resp_1?stream=true")
        #expect(answer.status == 200 && answer.text.hasPrefix("event: response.completed"))
    }

    @Test func upstreamWithoutReplayReturnsTheWholeResponse() async throws {
        let gateway = DialectGateway(.json(document, headerFields: [.contentType: "application/json"]))
        let answer = await gateway.running.ask(.get, "/v1/responses/resp_1?stream=true")
        #expect(answer.status == 200 && answer.text == document)
        #expect(try gateway.running.log.members()["stream"] == nil)
    }
}
