import HeadgateConfiguration
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct ClientAuthenticationTests {
    @Test func gatewayWithoutASecretIsKeyless() throws {
        let authentication = try ClientAuthentication(configuration(), environment: [:])
        #expect(!authentication.isKeyed)
        #expect(authentication.keys.isEmpty)
    }

    @Test func configuredKeysAreTheOnlyOnes() throws {
        var configuration = configuration(key: "sk-secret")
        configuration.keys = [KeyConfiguration(name: "laptop", digest: [UInt8](repeating: 0, count: 32))]
        let authentication = try ClientAuthentication(configuration, environment: [:])
        #expect(authentication.keys.map(\.name) == ["laptop"])
    }

    @Test func ownKeyIsAnAdministrators() throws {
        let folder = try TemporaryFolder()
        let authentication = try ClientAuthentication(
            configuration(key: "sk-secret"), environment: ["HEADGATE_KEY_FILE": folder.path + "/key"])
        #expect(authentication.keys.map(\.name) == ["generated"])
        #expect(authentication.keys.map(\.isAdmin) == [true])
    }

    @Test func everyUpstreamSecretRequiresAKey() throws {
        #expect(!ClientAuthentication.needsKey(configuration(), [:]))
        #expect(ClientAuthentication.needsKey(configuration(key: "sk-secret"), [:]))
        #expect(ClientAuthentication.needsKey(configuration(), ["HEADGATE_KEY_FILE": "/k"]))
        var proxied = configuration()
        proxied.upstreams[0].proxy = ProxyConfiguration(host: "proxy", port: 1, credential: Secret("u:p"))
        #expect(ClientAuthentication.needsKey(proxied, [:]))
    }

    private func configuration(key: String? = nil) -> Configuration {
        Configuration(
            upstreams: [UpstreamConfiguration(name: "a", kind: .openai, apiKey: key.map { Secret($0) })], models: [])
    }
}
