import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct AuthenticationMiddlewareTests {
    private static func middleware(isKeyless: Bool = false, now: Int64 = 1000) -> AuthenticationMiddleware {
        func key(_ name: String, _ text: String, expires: Int64? = nil) -> KeyConfiguration {
            KeyConfiguration(name: name, digest: KeyDigest(of: text.utf8).bytes, expires: expires)
        }
        let keys = [key("good", "k1"), key("late", "k2", expires: 1000), key("soon", "k3", expires: 1001)]
        return AuthenticationMiddleware(
            keys: ClientKeys(isKeyless ? [] : keys), now: { now * 1_000_000_000 + 999_999_999 })
    }

    private func outcome(_ fields: HTTPFields, isKeyless: Bool = false) -> Result<String, GatewayError> {
        Result { () throws(GatewayError) in
            try Self.middleware(isKeyless: isKeyless).authenticate(HeadFields(fields), from: "").name
        }
    }

    @Test(arguments: ["Bearer k1", "bearer k1", "BEARER k1", "Bearer  k1"]) func bearerIsACarrier(_ value: String)
        throws
    {
        #expect(try outcome([.authorization: value]).get() == "good")
    }

    @Test func apiKeyIsACarrier() throws {
        #expect(try outcome([.xAPIKey: "k1"]).get() == "good")
        #expect(try outcome([.authorization: "Bearer k1", .xAPIKey: "k1"]).get() == "good")
        // Some clients always send their own scheme next to it.
        #expect(try outcome([.authorization: "Basic dTpw", .xAPIKey: "k1"]).get() == "good")
    }

    /// LiteLLM's library distinguishes a wrong key from a bad request by the words of this message.
    @Test(arguments: ["wrong", "k1 k1", "k1, Bearer k1", "K1", "k2"])
    func everyWrongKeyGetsTheSameMessage(_ key: String) {
        let error = #expect(throws: GatewayError.self) { try outcome([.authorization: "Bearer \(key)"]).get() }
        #expect(error?.status == 401 && error?.code == "invalid_api_key")
        #expect(error?.message == GatewayError.invalidKey.message)
        #expect(error?.message.contains("Incorrect API key provided") == true)
        #expect(error?.headerFields[.wwwAuthenticate] == "Bearer")
    }

    @Test(arguments: ["Bearer", "Bearer ", "Bearerk1", "k1", "Basic k1", "Token k1", "", "Bearer\tk1"])
    func nonBearerCredentialIsNotAKey(_ value: String) {
        let error = #expect(throws: GatewayError.self) { try outcome([.authorization: value]).get() }
        #expect(error?.status == 401 && error?.code == "invalid_api_key")
        #expect(error?.message == GatewayError.missingKey.message)
        #expect(error?.headerFields[.wwwAuthenticate] == "Bearer")
    }

    @Test func noCredentialAndOtherFieldsAreRefused() {
        for fields: HTTPFields in [[:], [.cookie: "key=k1"], [.proxyAuthorization: "Bearer k1"], [.xAPIKey: ""]] {
            let error = #expect(throws: GatewayError.self) { try outcome(fields).get() }
            #expect(error?.message == GatewayError.missingKey.message)
        }
    }

    /// A client without a key can send an empty one.
    @Test(
        arguments: [[.xAPIKey: ""], [.authorization: "Bearer "], [.authorization: "Bearer ", .xAPIKey: ""]]
            as [HTTPFields])
    func emptyCredentialIsNeverAKey(_ fields: HTTPFields) {
        let nothing = KeyConfiguration(name: "nobody", digest: KeyDigest(of: []).bytes)
        let middleware = AuthenticationMiddleware(keys: ClientKeys([nothing]), now: { 0 })
        let error = #expect(throws: GatewayError.self) { try middleware.authenticate(HeadFields(fields), from: "") }
        #expect(error?.status == 401)
    }

    @Test(arguments: [("k1", "wrong"), ("wrong", "k1"), ("", "k1"), ("k1", ""), ("k1", "k2")])
    func gatewaysKeyCountsAmongTwoCredentials(_ bearer: String, _ apiKey: String) throws {
        #expect(try outcome([.authorization: "Bearer \(bearer)", .xAPIKey: apiKey]).get() == "good")
    }

    @Test func twoCredentialsThatAreNotKeysAreRefusedAsOne() {
        let error = #expect(throws: GatewayError.self) {
            try outcome([.authorization: "Bearer wrong", .xAPIKey: "other"]).get()
        }
        #expect(error?.status == 401)
    }

    @Test func expiredKeyIsRefusedLikeAnUnknownOne() throws {
        let error = #expect(throws: GatewayError.self) { try outcome([.xAPIKey: "k2"]).get() }
        #expect(error?.message == GatewayError.invalidKey.message)
        #expect(try outcome([.xAPIKey: "k3"]).get() == "soon")
    }

    @Test func keylessGatewayRequiresNoKey() throws {
        for fields: HTTPFields in [
            [:], [.authorization: "Bearer whatever"], [.authorization: "Bearer a", .xAPIKey: "b"],
        ] {
            #expect(try outcome(fields, isKeyless: true).get() == "keyless")
        }
    }

    /// A connection accepted under a configuration with keys can outlive a reload to one without keys.
    @Test func keylessGatewayRefusesRemoteClients() async {
        let keyless = AuthenticationMiddleware(keys: ClientKeys([]), now: { 0 })
        #expect(await Exchange(keyless, local: ("192.168.1.5", 8686)).status == 401)
        #expect(await Exchange(keyless, local: ("127.0.0.1", 8686)).status == 200)
        #expect(await Exchange(keyless, local: ("::1", 8686)).status == 200)
    }

    @Test func handlerKnowsTheCallerAndTheLogItsName() throws {
        let metadata = ServerRequestMetadata(
            connection: ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: ""),
            bodyLength: .fixed(0),
            context: RequestRecord(clock: { 0 }))
        let request = HTTPRequest(
            method: .get, scheme: nil, authority: nil, path: "/", headerFields: [.xAPIKey: "k1"])
        try Self.middleware().admit(RequestHead(request), metadata: metadata, operationID: "o")
        #expect(metadata.caller.name == "good")
        #expect(metadata.record.facts.keyName == "good")
        #expect(!ClientKey.unknown.allows(model: "any"))
    }

    @Test func refusedCallerHasNoNameAndReachesNothing() async {
        let exchange = await Exchange(Self.middleware(), fields: [.xAPIKey: "wrong"])
        #expect(exchange.status == 401)
        #expect(exchange.metadata.record.facts.keyName == nil)
    }
}
