import HTTPTypes
import HeadgateConfiguration
import HeadgateGateway
import HeadgateHTTP
import HeadgateRelay
import HeadgateTesting
import Testing

/// Responses that an upstream stores, and the keys that can request them.
@Suite struct StoredResponseAccessTests {
    private static let admin = "client-key-of-the-admin"
    private static let first = "client-key-of-the-first"
    private static let second = "client-key-of-the-second"

    private static let routes: [(HTTPRequest.Method, String)] = [
        (.get, ""), (.get, "?stream=true"), (.delete, ""), (.post, "/cancel"), (.get, "/input_items"),
    ]

    /// Creates a gateway whose upstream stores `resp_1`.
    private func gateway(
        keys: [String] = [admin, first, second], names: [String: String] = [:], callersWithoutKey: Int = 0,
        storedResponses: StoredResponses = .own,
        state: GatewayState = GatewayState(), plan: PlannedTransport.Plan = .json(document)
    ) -> InProcessGateway {
        let transport = PlannedTransport(plan)
        let upstream = UpstreamDefinition(
            UpstreamConfiguration(name: "up", kind: .openai),
            baseURL: BaseURL(endpoint: .tls(host: "api.example", port: 443), pathPrefix: "/v1"), credentials: []
        ) { _ in transport }
        return InProcessGateway(
            transport: transport, upstreams: [upstream], models: [ModelConfiguration(name: "plain", upstream: "up")],
            keys: keys.map {
                KeyConfiguration(name: names[$0] ?? $0, digest: KeyDigest(of: $0.utf8).bytes, isAdmin: $0 == Self.admin)
            }, callersWithoutKey: callersWithoutKey, storedResponses: storedResponses, state: state)
    }

    private static let document = #"{"id":"resp_1","object":"response","model":"m","status":"completed"}"#

    /// Creates a response, which continues another one if an id is given.
    private func make(
        _ gateway: InProcessGateway, key: String? = first, stream: Bool = false, extra: String = "",
        admission: ConnectionAdmission = .byKey
    ) async -> InProcessGateway.Response {
        await gateway.ask(
            .post, "/v1/responses", key: key, body: #"{"model":"plain","stream":\#(stream),"input":"hi"\#(extra)}"#,
            admission: admission)
    }

    private func statuses(
        _ gateway: InProcessGateway, key: String?, id: String = "resp_1",
        admission: ConnectionAdmission = .byKey
    ) async -> Set<Int> {
        var found: Set<Int> = []
        for (method, suffix) in Self.routes {
            let answer = await gateway.ask(method, "/v1/responses/\(id)\(suffix)", key: key, admission: admission)
            found.insert(answer.status)
        }
        return found
    }

    // MARK: Reading, cancelling and deleting

    @Test func creatorAndAdminsReachIt() async {
        let gateway = gateway()
        #expect(await make(gateway).status == 200)
        #expect(await statuses(gateway, key: Self.first) == [200])
        #expect(await statuses(gateway, key: Self.admin) == [200])
    }

    @Test func otherKeyGetsTheResponseForAnUnknownID() async {
        let gateway = gateway()
        _ = await make(gateway)
        for (method, suffix) in Self.routes {
            let other = await gateway.ask(method, "/v1/responses/resp_1\(suffix)", key: Self.second)
            let unknown = await gateway.ask(method, "/v1/responses/resp_2\(suffix)", key: Self.second)
            #expect(other.status == 404 && other.isError(code: "response_not_found"))
            #expect(other.text == unknown.text && unknown.status == 404)
        }
        #expect(gateway.transport.requests.count == 1)
    }

    @Test func responseOfUnknownOriginIsForAdmins() async {
        let gateway = gateway()
        #expect(await statuses(gateway, key: Self.first) == [404])
        #expect(gateway.transport.requests.isEmpty)
        #expect(await statuses(gateway, key: Self.admin) == [200])
    }

    @Test func streamedResponseBelongsToItsCreatorFromItsFirstEvent() async {
        let plan = PlannedTransport.Plan(chunks: [Typed.events(Typed.created)], end: nil)
        let state = GatewayState()
        _ = await make(gateway(state: state, plan: plan), stream: true, extra: "")
        let gateway = gateway(state: state)
        #expect(await statuses(gateway, key: Self.first) == [200])
        #expect(await statuses(gateway, key: Self.second) == [404])
    }

    @Test func idIsReadHoweverItIsEscaped() async {
        let state = GatewayState()
        let escaped = #"{"id":"resp\u005f1","object":"response","model":"m","status":"completed"}"#
        _ = await make(gateway(state: state, plan: .json(escaped)))
        #expect(await statuses(gateway(state: state), key: Self.first) == [200])
    }

    @Test func readingItDoesNotChangeItsCreator() async {
        let gateway = gateway()
        _ = await statuses(gateway, key: Self.admin)
        #expect(await statuses(gateway, key: Self.first) == [404])
    }

    @Test func creatorIsRememberedAcrossReloads() async {
        let state = GatewayState()
        _ = await make(gateway(keys: [Self.first], state: state))
        let reloaded = gateway(state: state)
        #expect(await statuses(reloaded, key: Self.first) == [200])
        #expect(await statuses(reloaded, key: Self.second) == [404])
    }

    @Test func laterKeyOfTheSameNameInheritsNothing() async {
        let state = GatewayState()
        _ = await make(gateway(names: [Self.first: "app"], state: state))
        let reloaded = gateway(keys: [Self.admin, Self.second], names: [Self.second: "app"], state: state)
        #expect(await statuses(reloaded, key: Self.second) == [404])
        #expect(await statuses(gateway(names: [Self.first: "other"], state: state), key: Self.first) == [200])
    }

    @Test func singleKeyReachesItsOwnResponsesNextToSocketUsers() async {
        let peer = ConnectionAdmission.admitted(as: "uid-7", isOwner: false)
        let gateway = gateway(keys: [Self.first], callersWithoutKey: 2)
        _ = await make(gateway, key: nil, admission: peer)
        #expect(await statuses(gateway, key: Self.first) == [404])
        #expect(await statuses(gateway, key: nil, admission: peer) == [200])
        let owner = ConnectionAdmission.admitted(as: "uid-1", isOwner: true)
        #expect(await statuses(gateway, key: nil, admission: owner) == [200])
    }

    @Test func socketUsersReachTheirOwnResponsesWithoutKeys() async {
        let gateway = gateway(keys: [], callersWithoutKey: 3)
        _ = await make(gateway, key: nil, admission: .admitted(as: "uid-7", isOwner: false))
        let other = ConnectionAdmission.admitted(as: "uid-8", isOwner: false)
        #expect(await statuses(gateway, key: nil, admission: other) == [404])
    }

    @Test func configurationCanShareThemWithEveryKey() async {
        let gateway = gateway(storedResponses: .any)
        _ = await make(gateway)
        #expect(await statuses(gateway, key: Self.second) == [200])
        #expect(await statuses(gateway, key: Self.second, id: "resp_unseen") == [200])
        let next = await make(gateway, key: Self.second, extra: #","previous_response_id":"resp_1","conversation":"c""#)
        #expect(next.status == 200)
    }

    @Test(arguments: [[first], []]) func withAtMostOneKeyEveryResponseIsReachable(keys: [String]) async {
        let gateway = gateway(keys: keys)
        #expect(await statuses(gateway, key: keys.first) == [200])
        let next = await make(
            gateway, key: keys.first, extra: #","previous_response_id":"resp_1","conversation":{"id":"c"}"#)
        #expect(next.status == 200)
    }

    // MARK: Continuing

    @Test(arguments: ["resp_1", #"resp\u005f1"#]) func onlyTheCreatorAndAdminsContinueIt(_ id: String) async {
        let gateway = gateway()
        _ = await make(gateway)
        let extra = #","previous_response_id":"\#(id)""#
        #expect(await make(gateway, key: Self.first, extra: extra).status == 200)
        #expect(await make(gateway, key: Self.admin, extra: extra).status == 200)
        let sent = gateway.transport.requests.count
        let other = await make(gateway, key: Self.second, extra: extra)
        let unknown = await make(gateway, key: Self.second, extra: #","previous_response_id":"resp_2""#)
        #expect(other.status == 404 && other.isError(code: "previous_response_not_found"))
        #expect(other.text == unknown.text && other.text.contains(#""param":"previous_response_id""#))
        #expect(gateway.transport.requests.count == sent)
    }

    @Test(arguments: [#""conv_1""#, #"{"id":"conv_1"}"#]) func conversationsAreForAdmins(_ conversation: String) async {
        let gateway = gateway()
        let answer = await make(gateway, extra: #","conversation":\#(conversation)"#)
        #expect(answer.status == 404 && answer.isError(code: "conversation_not_found"))
        #expect(gateway.transport.requests.isEmpty)
        #expect(await make(gateway, key: Self.admin, extra: #","conversation":\#(conversation)"#).status == 200)
    }

    @Test func nullNamesNothing() async {
        let answer = await make(gateway(), extra: #","previous_response_id":null,"conversation":null"#)
        #expect(answer.status == 200)
    }

    @Test(arguments: [
        (#","previous_response_id":1"#, "invalid_value"),
        (#","previous_response_id":"resp_1","previous_response_id":"resp_2""#, "duplicate_member"),
        (#","conversation":null,"conversation":"c""#, "duplicate_member"),
        (#","Previous_Response_ID":"resp_1""#, "ambiguous_member"), (#","Conversation":"c""#, "ambiguous_member"),
    ])
    func ambiguousIDIsRefused(_ extra: String, _ code: String) async {
        let gateway = gateway()
        let answer = await make(gateway, key: Self.admin, extra: extra)
        #expect(answer.status == 400 && answer.isError(code: code), "\(answer.text)")
        #expect(gateway.transport.requests.isEmpty)
    }

    @Test func otherRoutesDoNotReadTheMembers() async {
        let gateway = gateway(plan: .json("{}"))
        let answer = await gateway.chat(
            extra: #","previous_response_id":1,"conversation":"c""#, key: Self.second)
        #expect(answer.status == 200)
    }
}
