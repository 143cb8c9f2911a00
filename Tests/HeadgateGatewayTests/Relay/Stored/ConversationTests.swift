import Foundation
import HTTPTypes
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateStores
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Conversations that the gateway stores.
@Suite struct ConversationTests {
    private let file = NSTemporaryDirectory() + "/headgate-conversations-\(UUID().uuidString).db"

    /// - Parameter body: gets a gateway that stores conversations, and a conversation's id.
    private func withConversation(
        _ items: String = "[]", largestRequest: Int = 1 << 20,
        _ body: (DialectGateway, String) async throws -> Void
    ) async throws {
        let store = try SQLiteResponseStore(
            file: file, largest: 1 << 30, now: { InProcessGateway.now / 1_000_000_000 }, report: { _ in })
        defer {
            store.close()
            for end in ["", "-wal", "-shm"] { unlink(file + end) }
        }
        let kept = LocalResponses(store, lifetime: .seconds(60), largestRequest: largestRequest)
        let failure = PlannedTransport.Plan.json(#"{"error":{"message":"no"}}"#, status: 500)
        let gateway = DialectGateway(
            anthropic: .json(LocalTurnTests.message), azure: failure, keptResponses: kept)
        let made = await gateway.post("/v1/conversations", #"{"metadata":{"a":"b"},"items":\#(items)}"#)
        #expect(made.status == 200, "\(made.text)")
        let id = try #require(made.text.firstMatch(of: #/"id":"(conv_hg[0-9a-f]{32})"/#)?.1)
        try await body(gateway, String(id))
    }

    private func ask(
        _ gateway: DialectGateway, _ path: String, _ method: HTTPRequest.Method = .get
    ) async -> InProcessGateway.Response {
        await gateway.running.ask(method, "/v1/conversations/\(path)")
    }

    private func respond(
        _ gateway: DialectGateway, _ extra: String, model: String = "claude"
    ) async -> InProcessGateway.Response {
        await gateway.post("/v1/responses", #"{"model":"\#(model)","input":"Hi"\#(extra)}"#)
    }

    private func ids(_ page: InProcessGateway.Response) -> [String] {
        page.text.matches(of: #/\{"id":"([a-z0-9_]+)"/#).map { String($0.1) }
    }

    @Test func conversationIsReadChangedAndDeleted() async throws {
        try await withConversation { gateway, id in
            let created = InProcessGateway.now / 1_000_000_000
            let head = #"{"id":"\#(id)","object":"conversation","created_at":\#(created),"metadata":"#
            #expect(await ask(gateway, id).text == head + #"{"a":"b"}}"#)
            let changed = await gateway.post("/v1/conversations/\(id)", #"{"metadata":{"c":"d"}}"#)
            #expect(changed.text == head + #"{"c":"d"}}"#)
            let deleted = await ask(gateway, id, .delete)
            #expect(deleted.text == #"{"id":"\#(id)","object":"conversation.deleted","deleted":true}"#)
            let gone = await ask(gateway, id)
            #expect(gone.status == 404 && gone.isError(code: "conversation_not_found"))
        }
    }

    private static let three = #"[{"type":"a","id":"i_1"},{"type":"b","id":"i_2"},{"type":"c","id":"i_3"}]"#

    @Test(arguments: [
        ("", ["i_3", "i_2", "i_1"], false), ("?order=asc", ["i_1", "i_2", "i_3"], false),
        ("?order=asc&limit=2", ["i_1", "i_2"], true), ("?limit=1&after=i_3", ["i_2"], true),
        ("?after=i_2", ["i_1"], false), ("?after=i_1", [], false), ("?limit=100", ["i_3", "i_2", "i_1"], false),
    ]) func itemsAreListedInPages(_ query: String, _ expected: [String], _ hasMore: Bool) async throws {
        try await withConversation(Self.three) { gateway, id in
            let page = await ask(gateway, "\(id)/items\(query)")
            #expect(ids(page) == expected)
            func literal(_ id: String?) -> String { id.map { "\"\($0)\"" } ?? "null" }
            #expect(
                page.text.hasSuffix(
                    #"],"first_id":\#(literal(expected.first)),"last_id":\#(literal(expected.last)),"#
                        + #""has_more":\#(hasMore)}"#))
        }
    }

    @Test(arguments: [
        ("?limit=0", "limit"), ("?limit=101", "limit"), ("?limit=x", "limit"), ("?limit=", "limit"),
        ("?order=up", "order"), ("?after=i_9", "after"), ("?after=a%20b", "after"),
    ]) func invalidPageIsRefused(_ query: String, _ parameter: String) async throws {
        try await withConversation(Self.three) { gateway, id in
            let refused = await ask(gateway, "\(id)/items\(query)")
            #expect(refused.status == 400 && refused.text.contains(#""param":"\#(parameter)""#), "\(refused.text)")
        }
    }

    @Test func singleItemsAreAddedReadAndDeleted() async throws {
        try await withConversation(Self.three) { gateway, id in
            let added = await gateway.post(
                "/v1/conversations/\(id)/items", #"{"items":[{"type":"d","id":"i_4"},{"type":"e","id":"i_5"}]}"#)
            #expect(ids(added) == ["i_4", "i_5"])
            #expect(await ask(gateway, "\(id)/items/i_4").text == #"{"id":"i_4","type":"d"}"#)
            #expect(await ask(gateway, "\(id)/items/i_4", .delete).status == 200)
            for path in ["i_4", "a.b", String(repeating: "x", count: 129)] {
                let unknown = await ask(gateway, "\(id)/items/\(path)")
                #expect(unknown.status == 404 && unknown.isError(code: "item_not_found"))
            }
            #expect(ids(await ask(gateway, "\(id)/items?order=asc")) == ["i_1", "i_2", "i_3", "i_5"])
        }
    }

    @Test(
        arguments: [
            ("", #"{"items":7}"#, "items"), ("", #"{"metadata":7}"#, "metadata"), ("/items", "{}", "items"),
            ("", #"{"items":[\#(Array(repeating: #"{"type":"a"}"#, count: 21).joined(separator: ","))]}"#, "items"),
            ("/", "{}", "metadata"), ("/items", "[]", nil), ("/items", "{", nil),
        ] as [(String, String, String?)])
    func invalidBodyIsRefused(_ suffix: String, _ body: String, _ parameter: String?) async throws {
        try await withConversation { gateway, id in
            let path = suffix.isEmpty ? "" : suffix == "/" ? "/\(id)" : "/\(id)\(suffix)"
            let refused = await gateway.post("/v1/conversations\(path)", body)
            #expect(refused.status == 400, "\(refused.text)")
            if let parameter { #expect(refused.text.contains(#""param":"\#(parameter)""#)) }
        }
    }

    @Test func twentyItemsAreAcceptedAtATime() async throws {
        let items = Array(repeating: #"{"type":"a"}"#, count: 20).joined(separator: ",")
        try await withConversation("[\(items)]") { gateway, id in
            #expect(ids(await ask(gateway, "\(id)/items")).count == 20)
        }
    }

    @Test func conversationsOfOthersAreUnknown() async throws {
        try await withConversation { gateway, id in
            for path in [id, "\(id)/items", "conv_1", "conv_hg"] {
                let key = path.hasPrefix(id) ? InProcessGateway.limitedKey : InProcessGateway.clientKey
                let refused = await gateway.running.ask(.get, "/v1/conversations/\(path)", key: key)
                #expect(refused.status == 404 && refused.isError(code: "conversation_not_found"))
            }
        }
    }

    @Test func gatewayWithoutAStoreSaysSo() async {
        let refused = await DialectGateway().post("/v1/conversations", "{}")
        #expect(refused.status == 400 && refused.isError(code: "conversations_not_kept"))
    }

    // MARK: Turns

    @Test(arguments: [#""ID""#, #"{"id":"ID"}"#])
    func turnContinuesTheConversationAndIsAddedToIt(_ form: String) async throws {
        try await withConversation(#"[{"role":"user","content":"First"}]"#) { gateway, id in
            let conversation = form.replacing("ID", with: id)
            let response = await respond(gateway, #","conversation":\#(conversation)"#)
            #expect(response.status == 200 && response.text.contains(#""conversation":{"id":"\#(id)"}"#))
            let sent = try #require(gateway.anthropic.requests.last?.body)
            let places = ["First", "Hi"].compactMap { sent.firstRange(of: "\"\($0)\"")?.lowerBound }
            #expect(places.count == 2 && places == places.sorted() && !sent.contains(id))
            let items = await ask(gateway, "\(id)/items?order=asc")
            let texts = items.text.matches(of: #/"text":"([A-Za-z]+)"/#).map { String($0.1) }
            #expect(texts == ["First", "Hi", "Yes"])
        }
    }

    @Test func failedTurnAddsNothingAndEnds() async throws {
        try await withConversation { gateway, id in
            let failed = await respond(gateway, #","conversation":"\#(id)""#, model: "dated")
            #expect(failed.status == 500)
            #expect(ids(await ask(gateway, "\(id)/items")).isEmpty)
            #expect(await respond(gateway, #","conversation":"\#(id)""#).status == 200)
            #expect(ids(await ask(gateway, "\(id)/items")).count == 2)
        }
    }

    @Test func turnInTheBackgroundIsRefusedInAStoredConversation() async throws {
        try await withConversation { gateway, id in
            let refused = await respond(gateway, #","conversation":"\#(id)","background":true"#)
            #expect(refused.status == 400 && refused.text.contains(#""param":"background""#))
            // The upstream keeps this conversation.
            let other = await respond(gateway, #","conversation":"conv_1","background":true"#, model: "plain")
            #expect(other.status == 200)
        }
    }

    @Test func turnHasEitherAConversationOrAPreviousResponse() async throws {
        try await withConversation { gateway, id in
            let response = await respond(gateway, #","conversation":"\#(id)""#)
            let previous = try #require(response.text.firstMatch(of: #/"id":"(resp_hg[0-9a-f]{32})"/#)?.1)
            let both = await respond(gateway, #","conversation":"\#(id)","previous_response_id":"\#(previous)""#)
            #expect(both.status == 400 && both.isError(code: "mutually_exclusive_parameters"))
            let part = await respond(gateway, #","previous_response_id":"\#(previous)""#)
            #expect(part.status == 400 && part.text.contains(id) && part.isError(code: "invalid_value"))
        }
    }

    @Test func unknownConversationIsRefused() async throws {
        try await withConversation { gateway, id in
            #expect(await ask(gateway, id, .delete).status == 200)
            let refused = await respond(gateway, #","conversation":"\#(id)""#)
            #expect(refused.status == 404 && refused.text.contains(#""param":"conversation""#))
        }
    }

    @Test func longConversationIsRefused() async throws {
        let text = String(repeating: "x", count: 300)
        try await withConversation(#"[{"role":"user","content":"\#(text)"}]"#, largestRequest: 300) { gateway, id in
            let refused = await respond(gateway, #","conversation":"\#(id)""#)
            #expect(refused.status == 400 && refused.isError(code: "conversation_too_long"))
        }
    }
}
