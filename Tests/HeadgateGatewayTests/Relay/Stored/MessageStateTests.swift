import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// State of Anthropic's Messages that an upstream stores, and the keys that can continue it.
@Suite struct MessageStateTests {
    private typealias Plan = PlannedTransport.Plan

    private static let admin = "client-key-of-the-admin"
    private static let first = "client-key-of-the-first"
    private static let second = "client-key-of-the-second"

    private static let refused =
        #"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":"refusal","stop_details":{"type":"refusal","fallback_credit_token":"fct_1"},"usage":{"input_tokens":1,"output_tokens":1}}"#

    private static let streamed = Plan(
        headerFields: [.contentType: "text/event-stream"],
        chunks: [
            #"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
            #"{"type":"message_delta","delta":{"stop_reason":"refusal","stop_details":{"fallback_credit_token":"fct_1"}},"usage":{"output_tokens":1}}"#,
            #"{"type":"message_stop"}"#,
        ].map { "data: \($0)\n\n" })

    private func gateway(
        _ plan: Plan = .json(refused), keys: [String] = [admin, first, second], stored: StoredResponses = .own
    ) -> InProcessGateway {
        let transport = PlannedTransport(plan)
        let upstream = UpstreamDefinition(
            name: "up", kind: .anthropic, baseURL: BaseURL(endpoint: .tls(host: "h", port: 443), pathPrefix: "/v1"),
            credential: nil, transport: transport)
        return InProcessGateway(
            transport: transport, upstreams: [upstream], models: [ModelConfiguration(name: "claude", upstream: "up")],
            keys: keys.map {
                KeyConfiguration(name: $0, digest: KeyDigest(of: $0.utf8).bytes, isAdmin: $0 == Self.admin)
            }, storedResponses: stored)
    }

    private func ask(
        _ gateway: InProcessGateway, _ members: String, key: String = first, path: String = "/v1/messages"
    ) async -> InProcessGateway.Response {
        await gateway.ask(
            .post, path, key: key, body: #"{"model":"claude","max_tokens":9,"messages":[],\#(members)}"#)
    }

    private static let create = #""thread":{"type":"create"}"#
    private static let proceed = #""thread":{"type":"continue","previous_message_id":"msg_1"}"#
    private static let credit = #""fallback_credit_token":"fct_1""#

    @Test(arguments: [false, true]) func threadBelongsOnlyToItsCreator(_ stream: Bool) async {
        let gateway = gateway(stream ? Self.streamed : .json(Self.refused))
        #expect(await ask(gateway, #"\#(Self.create),"stream":\#(stream)"#).status == 200)
        for (key, status) in [(Self.first, 200), (Self.admin, 200), (Self.second, 404)] {
            let more = await ask(gateway, #"\#(Self.proceed),"stream":\#(stream)"#, key: key)
            #expect(more.status == status)
            guard status == 404 else { continue }
            #expect(more.text.contains("not_found_error") && more.text.contains("no thread with that message"))
        }
        #expect(await ask(gateway, Self.proceed, key: Self.second, path: "/v1/messages/count_tokens").status == 404)
        #expect(gateway.transport.requests.count == 3)
    }

    @Test(arguments: [false, true]) func refusalTokenBelongsOnlyToItsReceiver(_ stream: Bool) async {
        let gateway = gateway(stream ? Self.streamed : .json(Self.refused))
        #expect(await ask(gateway, #""stream":\#(stream)"#).status == 200)
        #expect(await ask(gateway, #"\#(Self.credit),"stream":\#(stream)"#).status == 200)
        let other = await ask(gateway, Self.credit, key: Self.second)
        #expect(other.status == 404 && other.text.contains("no refused message with that token"))
    }

    @Test func messageWithoutAThreadCannotBeContinued() async {
        let gateway = gateway()
        #expect(await ask(gateway, #""stream":false"#).status == 200)
        #expect(await ask(gateway, Self.proceed).status == 404)
        #expect(await ask(gateway, #""thread":{"type":"continue","previous_message_id":null}"#).status == 200)
    }

    @Test func everyKeyContinuesSharedState() async {
        #expect(await ask(gateway(stored: .any), Self.proceed, key: Self.second).status == 200)
        #expect(await ask(gateway(keys: [Self.first]), "\(Self.proceed),\(Self.credit)").status == 200)
    }

    @Test(arguments: [
        #""thread":{"previous_message_id":"msg_1","previous_message_id":"msg_2"}"#,
        #""thread":{"type":"create"},"thread":{"previous_message_id":"msg_1"}"#,
        #""thread":{"Previous_Message_ID":"msg_1"}"#, #""Thread":{"previous_message_id":"msg_1"}"#,
        #""thread":{"previous_message_id":7}"#, #""fallback_credit_token":[]"#,
        #""fallback_credit_token":"a","fallback_credit_token":"b""#,
    ]) func ambiguousStateIsRefused(_ members: String) async {
        let gateway = gateway()
        #expect(await ask(gateway, members).status == 400)
        #expect(gateway.transport.requests.isEmpty)
    }

    @Test func continuedThreadStaysAtItsUpstream() async {
        let plan = Plan.json(Self.refused)
        let gateway = RoutedGateway([[.failing(.closedBeforeResponse), plan], [plan]]) { _, upstreams in
            upstreams = upstreams.map { UpstreamConfiguration(name: $0.name, kind: .anthropic) }
        }
        func ask(_ members: String) async -> String? {
            await gateway.running.ask(
                .post, "/v1/messages", body: #"{"model":"m","max_tokens":9,"messages":[],\#(members)}"#
            ).headerFields[.xHeadgateUpstream]
        }
        #expect(await ask(Self.create) == "b")
        #expect(await ask(Self.proceed) == "b")
        #expect(await ask(Self.create) == "a")
    }
}
