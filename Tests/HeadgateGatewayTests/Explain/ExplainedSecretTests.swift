import Foundation
import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ExplainedSecretTests {
    private static let header = "tenant-secret-0123456789"
    private static let number = "123456789012"
    private static let key = "sk-real-\"quoted\\-0123456789"
    private static let other = "sk-of-another-upstream-0123"

    private func gateway() -> InProcessGateway {
        let transport = PlannedTransport(.json("{}"))
        func upstream(_ name: String, _ key: String, _ headers: [HeaderConfiguration] = []) -> UpstreamDefinition {
            UpstreamDefinition(
                name: name, baseURL: BaseURL(endpoint: .tls(host: "\(name).example", port: 443), pathPrefix: "/v1"),
                credential: Secret(key), headers: headers, transport: transport)
        }
        return InProcessGateway(
            transport: transport,
            upstreams: [
                upstream(
                    "up", Self.key,
                    [
                        HeaderConfiguration(name: "X-Tenant", value: Self.header),
                        HeaderConfiguration(name: "X-Pin", value: "42"),
                        HeaderConfiguration(name: "X-Number", value: Self.number),
                        HeaderConfiguration(name: "Client-Id", value: "my-app"),
                    ]), upstream("other", Self.other),
            ],
            models: [
                ModelConfiguration(name: "plain", upstream: "up"), ModelConfiguration(name: "*", upstream: "up"),
                ModelConfiguration(name: "o", upstream: "other"),
            ], keys: [InProcessGateway.keys[0]])
    }

    private static func literal(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
    }

    private static func escaped(_ text: String) -> String {
        text.utf16.map { "\\u" + String(format: "%04x", $0) }.joined()
    }

    private static func base64(_ text: String) -> String { Data("x\(text)y".utf8).base64EncodedString() }

    private func explain(_ extra: String, model: String = "plain") async -> InProcessGateway.Response {
        await gateway().chat(model: model, extra: extra, headerFields: [HTTPField.Name("x-headgate-explain")!: "1"])
    }

    /// Returns every text in a document, decoded.
    private func texts(_ value: Any) -> [String] {
        if let object = value as? [String: Any] { return object.flatMap { [$0.key] + texts($0.value) } }
        if let list = value as? [Any] { return list.flatMap(texts) }
        return ["\(value)"]
    }

    @Test func headShowsPublicHeadersAndNoSecrets() async throws {
        let answer = await explain("")
        #expect(answer.status == 200)
        for field in [
            #"{"name":"Authorization","value":"Bearer ***"}"#, #"{"name":"X-Tenant","value":"***"}"#,
            #"{"name":"X-Pin","value":"***"}"#, #"{"name":"Client-Id","value":"my-app"}"#,
        ] {
            #expect(answer.text.contains(field), "\(field) in \(answer.text)")
        }
        #expect(answer.text.contains("-H 'Authorization: Bearer ***'"))
    }

    @Test(arguments: [key, header, other, InProcessGateway.clientKey])
    func clientsSecretIsNeverShown(_ secret: String) async throws {
        let forms = [
            Self.literal(secret), "\"\(Self.escaped(secret))\"", Self.literal("before \(secret) behind"),
            Self.literal(Self.base64(secret)), Self.literal(#"{"inner":\#(Self.literal(secret))}"#),
        ]
        for form in forms {
            let answer = await explain(#","user":\#(form),"metadata":{\#(form):[\#(form)]}"#)
            #expect(answer.status == 200, "\(answer.text)")
            let document = try JSONSerialization.jsonObject(with: Data(answer.text.utf8))
            let pieces = texts(document).joined(separator: "\n")
            #expect(!pieces.contains(secret) && !answer.text.contains(secret), "\(form)")
            #expect(!answer.text.contains(Self.escaped(secret)))
            // The ends depend on the neighboring bytes and are ignored.
            let core = Self.base64(secret).dropFirst(4).dropLast(6)
            #expect(!answer.text.contains(core), "\(form)")
            #expect(pieces.contains("***"))
        }
    }

    /// Credential headers are masked even if the gateway does not know their values.
    @Test(arguments: ["authorization", "proxy-authorization", "x-api-key", "api-key", "cookie", "Cookie"])
    func fieldsOfCredentialsAreMasked(_ name: String) throws {
        let name = try #require(HTTPField.Name(name))
        let head = RequestHead(HTTPRequest(method: .get, scheme: nil, authority: "a", path: "/"))
        let mask = SecretMask([], client: head.fields)
        #expect(mask.value(of: HTTPField(name: name, value: "whatever")) == "***")
        #expect(mask.value(of: HTTPField(name: .accept, value: "whatever")) == "whatever")
    }

    @Test func numberThatIsASecretBecomesText() async throws {
        let answer = await explain(#","seed":\#(Self.number)"#)
        #expect(!answer.text.contains(Self.number))
        #expect(answer.text.contains(#""seed":"***""#))
    }

    @Test func modelNameLeaksNoSecret() async throws {
        let answer = await explain("", model: Self.header)
        #expect(answer.status == 200 && !answer.text.contains(Self.header))
    }

    @Test func textWithoutSecretsIsNotTouched() async throws {
        let answer = await explain(#","user" : "caf\u00e9 \ud83d\ude00","x":[1.50,null,true,{"":-0}]"#)
        #expect(answer.text.contains(#""user" : "caf\u00e9 \ud83d\ude00","x":[1.50,null,true,{"":-0}]"#))
    }
}
