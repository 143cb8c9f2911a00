import Foundation
import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateStores
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Responses that the gateway stores.
@Suite struct LocalTurnTests {
    private let file = NSTemporaryDirectory() + "/headgate-kept-\(UUID().uuidString).db"

    private func withStore(
        largestRequest: Int = 1 << 20, _ body: (LocalResponses, SQLiteResponseStore) async throws -> Void
    ) async throws {
        let store = try SQLiteResponseStore(
            file: file, largest: 1 << 30, now: { InProcessGateway.now / 1_000_000_000 }, report: { _ in })
        defer {
            store.close()
            for end in ["", "-wal", "-shm"] { unlink(file + end) }
        }
        try await body(LocalResponses(store, lifetime: .seconds(60), largestRequest: largestRequest), store)
    }

    private func ask(
        _ gateway: DialectGateway, _ extra: String = "", input: String = #""Hi""#, stream: Bool = false,
        model: String = "claude"
    ) async -> InProcessGateway.Response {
        await gateway.post(
            "/v1/responses", #"{"model":"\#(model)","stream":\#(stream),"input":\#(input)\#(extra)}"#)
    }

    private func id(_ response: InProcessGateway.Response) throws -> String {
        let start = try #require(response.text.firstRange(of: #""id":"resp_"#)).upperBound
        return "resp_" + response.text[start...].prefix { $0 != "\"" }
    }

    static let message =
        #"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Yes"}],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":4}}"#

    private func stored(_ gateway: DialectGateway, _ id: String, _ suffix: String = "") async
        -> InProcessGateway.Response
    {
        await gateway.running.ask(.get, "/v1/responses/\(id)\(suffix)")
    }

    @Test func aStoredResponseIsReturnedByteForByte() async throws {
        try await withStore { kept, _ in
            let gateway = DialectGateway(anthropic: .json(Self.message), keptResponses: kept)
            let made = await ask(gateway)
            let again = await stored(gateway, try id(made))
            #expect(made.status == 200 && again.status == 200 && again.text == made.text)
            #expect(made.text.contains(#""store":true"#) && made.text.contains(#""previous_response_id":null"#))
        }
    }

    @Test(arguments: ["", "/input_items"]) func storedResponseIsAdmittedToTheMemoryForBodies(
        _ suffix: String
    ) async throws {
        try await withStore { kept, _ in
            let gateway = DialectGateway(anthropic: .json(Self.message), keptResponses: kept)
            let text = String(repeating: "x", count: 300_000)
            let response = try id(await ask(gateway, #","instructions":"\#(text)""#, input: #""\#(text)""#))
            let bodies = gateway.running.gateway.snapshot.relay.bodies
            var others: BodyAllowance? = bodies.allowance()
            #expect(others?.grow(to: bodies.limit - 100_000) == true)
            let refused = await stored(gateway, response, suffix)
            #expect(refused.status == 503 && refused.isError(code: "body_memory"), "\(refused.text)")
            others = nil
            #expect(bodies.memory.held == 0)
            #expect(await stored(gateway, response, suffix).status == 200)
        }
    }

    @Test(arguments: [
        (#"{"a":"\#(String(repeating: "x", count: 513))"}"#, true, 400), (#"{"a":1}"#, true, 400), ("7", true, 400),
        (#"{"\#(String(repeating: "x", count: 65))":"b"}"#, true, 400),
        ("{" + (0..<17).map { #""k\#($0)":"v""# }.joined(separator: ",") + "}", true, 400),
        (#"{"a":"\#(String(repeating: "x", count: 513))"}"#, false, 200),
        (#"{"a":"\#(String(repeating: "x", count: 512))"}"#, true, 200), ("null", true, 200),
    ])
    func metadataOfAStoredResponseIsBounded(_ metadata: String, _ isStored: Bool, _ status: Int) async throws {
        try await withStore { kept, _ in
            let gateway = DialectGateway(anthropic: .json(Self.message), keptResponses: kept)
            let response = await ask(gateway, #","metadata":\#(metadata),"store":\#(isStored)"#)
            #expect(response.status == status && (status == 200 || response.text.contains(#""param":"metadata""#)))
        }
    }

    @Test func storedResponseIsDeleted() async throws {
        try await withStore { kept, _ in
            let gateway = DialectGateway(anthropic: .json(Self.message), keptResponses: kept)
            let response = try id(await ask(gateway))
            for key in [InProcessGateway.limitedKey, InProcessGateway.clientKey] {
                let deleted = await gateway.running.ask(.delete, "/v1/responses/\(response)", key: key)
                #expect(deleted.status == (key == InProcessGateway.clientKey ? 200 : 404))
                guard deleted.status == 200 else { continue }
                #expect(deleted.text == #"{"id":"\#(response)","object":"response","deleted":true}"#)
            }
            let gone = await gateway.running.ask(.delete, "/v1/responses/\(response)")
            #expect(gone.status == 404 && gone.isError(code: "response_not_found"))
        }
    }

    @Test(arguments: [
        ("", ["i_3", "i_2", "i_1"], false), ("?order=asc&limit=2", ["i_1", "i_2"], true),
        ("?order=asc&after=i_2", ["i_3"], false), ("?after=i_1", [], false),
    ]) func inputOfAStoredResponseIsListedInPages(_ query: String, _ expected: [String], _ hasMore: Bool) async throws {
        try await withStore { kept, _ in
            let gateway = DialectGateway(anthropic: .json(Self.message), keptResponses: kept)
            let input = (1...3).map { #"{"id":"i_\#($0)","role":"user","content":"\#($0)"}"# }.joined(separator: ",")
            let response = try id(await ask(gateway, input: "[\(input)]"))
            let page = await stored(gateway, response, "/input_items\(query)")
            let ids = page.text.matches(of: #/"id":"(i_[0-9])"/#).map { String($0.1) }
            #expect(ids == expected && page.text.contains(#""has_more":\#(hasMore)"#), "\(page.text)")
        }
    }

    @Test func requestThatAStoredResponseCannotMeetIsRefused() async throws {
        try await withStore { kept, _ in
            let gateway = DialectGateway(anthropic: .json(Self.message), keptResponses: kept)
            let response = try id(await ask(gateway))
            let cancelled = await gateway.running.ask(.post, "/v1/responses/\(response)/cancel")
            #expect(cancelled.status == 400 && cancelled.text.contains("can be cancelled"))
            for (suffix, parameter) in [
                ("?stream=true", "stream"), ("?stream=x", "stream"), ("?stream=true&stream=true", "stream"),
                ("?starting_after=x", "starting_after"), ("/input_items?after=i_9", "after"),
                ("/input_items?limit=0", "limit"), ("/input_items?order=x", "order"),
            ] {
                let refused = await stored(gateway, response, suffix)
                #expect(refused.status == 400 && refused.text.contains(#""param":"\#(parameter)""#), "\(suffix)")
            }
            for suffix in ["?stream=false", "?unknown=x", "?include%5B%5D=a", "?starting_after=7", ""] {
                #expect(await stored(gateway, response, suffix).status == 200)
            }
        }
    }

    @Test func historyIsSentBeforeTheInput() async throws {
        try await withStore { kept, _ in
            let gateway = DialectGateway(anthropic: .json(Self.message), keptResponses: kept)
            let first = try id(await ask(gateway, #","instructions":"Be brief.""#))
            let second = await ask(gateway, #","previous_response_id":"\#(first)""#, input: #""More""#)
            #expect(second.text.contains(#""previous_response_id":"\#(first)""#))
            let sent = try #require(gateway.anthropic.requests.last?.body)
            let places = ["Hi", "Yes", "More"].compactMap { sent.firstRange(of: "\"\($0)\"")?.lowerBound }
            #expect(places.count == 3 && places == places.sorted() && !sent.contains("Be brief."))
        }
    }

    @Test func relatedTurnsAreTracedAsOneConversation() async throws {
        try await withStore { kept, _ in
            let spans = CollectedSpans()
            let gateway = DialectGateway(
                anthropic: .json(Self.message), keptResponses: kept, tracing: try spans.tracing())
            let first = try id(await ask(gateway))
            let second = try id(await ask(gateway, #","previous_response_id":"\#(first)""#))
            _ = await ask(gateway, #","previous_response_id":"\#(second)","store":false"#)
            _ = await ask(gateway, #","store":false"#)
            let ids = spans.attempts.map { $0.text("gen_ai.conversation.id") }
            #expect(ids == [first, first, first, nil])
        }
    }

    @Test func anUnknownLocalIDIsNotForwarded() async throws {
        try await withStore { kept, _ in
            let gateway = DialectGateway(keptResponses: kept)
            let unknown = "resp_hg" + String(repeating: "0", count: 32)
            for model in ["claude", "plain"] {
                let refused = await ask(gateway, #","previous_response_id":"\#(unknown)""#, model: model)
                #expect(refused.status == 404 && refused.isError(code: "previous_response_not_found"))
            }
            #expect(await stored(gateway, unknown).isError(code: "response_not_found"))
            #expect(gateway.sent.isEmpty)
        }
    }

    @Test func idsOfUpstreamsGoToThemAsBefore() async throws {
        try await withStore { kept, _ in
            let gateway = DialectGateway(.json(#"{"id":"resp_1","object":"response"}"#), keptResponses: kept)
            let body = #"{"model":"plain","stream":false,"input":"Hi","previous_response_id":"resp_0","store":true}"#
            #expect(await gateway.post("/v1/responses", body).status == 200)
            #expect(gateway.openAI.requests.last?.body == body)
            #expect(await stored(gateway, "resp_1").status == 200)
            #expect(gateway.openAI.requests.last?.head.path == "/v1/responses/resp_1")
        }
    }

    @Test func localHistoryIsSentEvenToAStoringUpstream() async throws {
        try await withStore { kept, _ in
            let gateway = DialectGateway(
                .json(#"{"id":"resp_1","object":"response"}"#), anthropic: .json(Self.message), keptResponses: kept)
            let first = try id(await ask(gateway))
            let next = await ask(gateway, #","previous_response_id":"\#(first)""#, input: #""More""#, model: "plain")
            #expect(next.status == 200)
            let sent = try #require(gateway.openAI.requests.last?.body)
            #expect(sent.contains("Yes") && sent.contains("More") && !sent.contains(first))
        }
    }

    @Test func aLongConversationIsRefusedByName() async throws {
        try await withStore(largestRequest: 100) { kept, _ in
            let gateway = DialectGateway(anthropic: .json(Self.message), keptResponses: kept)
            let first = try id(await ask(gateway))
            let refused = await ask(gateway, #","previous_response_id":"\#(first)""#)
            #expect(refused.status == 400 && refused.isError(code: "previous_response_too_long"))
        }
    }

    @Test func aFailedStoreFailsOnlyRequestsThatNeedIt() async throws {
        try await withStore { kept, store in
            let gateway = DialectGateway(anthropic: .json(Self.message), keptResponses: kept)
            let first = try id(await ask(gateway))
            store.close()
            let lost = await ask(gateway)
            #expect(lost.status == 200)
            let refused = await ask(gateway, #","previous_response_id":"\#(first)""#)
            #expect(refused.status == 503 && refused.isError(code: "responses_unavailable"))
            #expect(store.health == ResponseStoreHealth(isWorking: false, lost: 1))
            let ready = await gateway.running.ask(.get, "/readyz?verbose")
            #expect(ready.status == 200 && ready.text.contains(#""responses":{"working":false,"lost":1,"removed":0}"#))
        }
    }

    @Test(arguments: [
        (Plan.json(message), "", 1), (.json(message), #","store":false"#, 0), (.json(message), #","store":null"#, 1),
        (.json(#"{"type":"error","error":{"type":"api_error","message":"no"}}"#), "", 0),
        (.json(#"{"type":"error","error":{"type":"api_error","message":"no"}}"#, status: 500), "", 0),
        (stream(Self.events), #","stream":true"#, 1), (stream(Self.events), #","stream":true,"store":false"#, 0),
        (stream(Self.events.dropLast(2)), #","stream":true"#, 0),
        (stream(Self.events.prefix(3), end: .failure(TransportError(.truncatedBody))), #","stream":true"#, 0),
        (
            stream(Self.events.prefix(3) + [#"{"type":"error","error":{"type":"api_error","message":"no"}}"#]),
            #","stream":true"#, 0
        ),
    ])
    func onlyCompleteResponsesAreStored(_ plan: Plan, _ members: String, _ count: Int) async throws {
        let store = RecordingStore()
        let gateway = DialectGateway(
            anthropic: plan, keptResponses: LocalResponses(store, lifetime: .seconds(60), largestRequest: 1 << 20))
        let response = await gateway.post("/v1/responses", #"{"model":"claude","input":"Hi"\#(members)}"#)
        let kept = store.kept
        #expect(kept.count == count)
        guard let first = kept.first else { return }
        let document = String(decoding: first.response.document, as: UTF8.self)
        #expect(response.text.contains(document) && document.contains(#""status":"completed""#))
        #expect(document.contains(#""id":"\#(first.response.id)""#) && first.response.previous == nil)
        #expect(first.end == InProcessGateway.now / 1_000_000_000 + 60)
    }

    typealias Plan = PlannedTransport.Plan

    static let events = [
        #"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}"#,
        #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#,
        #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Yes"}}"#,
        #"{"type":"content_block_stop","index":0}"#,
        #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}"#,
        #"{"type":"message_stop"}"#,
    ]

    static func stream(
        _ documents: some Sequence<String>, end: Result<Void, TransportError> = .success(())
    ) -> Plan {
        Plan(
            headerFields: [.contentType: "text/event-stream"], chunks: documents.map { "data: \($0)\n\n" }, end: end)
    }

    @Test func gatewayIDsAreRecognizedByTheirForm() {
        let id = "resp_" + LocalResponses.makeID()
        #expect(LocalResponses.isID(id) && id.utf8.count == 39)
        for other in ["resp_1", id + "0", String(id.dropLast()), "msg" + id.dropFirst(4), id.dropLast() + "g"] {
            #expect(!LocalResponses.isID(String(other)))
        }
    }
}

/// A store that records what it receives and finds nothing.
final class RecordingStore: ResponseStore, ConversationStore {
    private let responses = Locked<[(response: LocalResponse, end: Int64)]>([])

    var kept: [(response: LocalResponse, end: Int64)] { responses.withLock { $0 } }

    func keep(_ response: LocalResponse, until end: Int64) { responses.withLock { $0.append((response, end)) } }

    func find(
        _: String, of _: [UInt8]?, at _: Int64,
        completion: @escaping @Sendable (Result<LocalResponse?, ResponseStoreFailure>) -> Void
    ) { completion(.success(nil)) }

    func findChain(
        endingAt _: String, of _: [UInt8]?, at _: Int64, within _: ResponseChain.Limits,
        completion: @escaping @Sendable (Result<ResponseChain, ResponseStoreFailure>) -> Void
    ) { completion(.success(.unknown)) }

    func remove(
        _: String, of _: [UInt8]?, at _: Int64, for _: StoreInterest,
        completion: @escaping @Sendable (Result<Bool, ResponseStoreFailure>) -> Void
    ) { completion(.success(false)) }

    func ask(
        _: ConversationQuestion, about _: String, of _: [UInt8]?, at _: Int64, for _: StoreInterest,
        completion: @escaping @Sendable (Result<ConversationAnswer, ResponseStoreFailure>) -> Void
    ) { completion(.success(.unknown)) }

    func end(
        _: ConversationTurn, adding _: @escaping @Sendable () -> [ConversationItem], keeping _: LocalResponse?,
        octets _: Int, until _: Int64
    ) {}

    var health: ResponseStoreHealth { ResponseStoreHealth() }
}
