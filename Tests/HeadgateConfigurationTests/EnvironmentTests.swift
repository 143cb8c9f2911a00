import HeadgateConfiguration
import Testing

@Suite struct EnvironmentTests {
    @Test func withoutVariablesTheBuiltInModelIsServed() throws {
        let configuration = try Configuration.fromEnvironment([:])
        #expect(
            configuration
                == Configuration(
                    upstreams: [UpstreamConfiguration(name: "on-device", kind: .onDevice)],
                    models: [ModelConfiguration(name: "smollm2", upstream: "on-device")]))
        #expect(try parse("") == configuration)
    }

    @Test func aKeyMakesOneUpstreamForEveryModel() throws {
        let configuration = try Configuration.fromEnvironment(["OPENAI_API_KEY": "sk-1"])
        #expect(
            configuration.upstreams == [
                UpstreamConfiguration(
                    name: "openai", kind: .openai, baseURL: try UpstreamURL(parsing: "https://api.openai.com/v1"),
                    apiKey: Secret("sk-1"))
            ])
        #expect(configuration.models == [ModelConfiguration(name: "*", upstream: "openai")])
    }

    @Test func aBaseURLAloneNeedsNoKey() throws {
        let configuration = try Configuration.fromEnvironment(["OPENAI_BASE_URL": "http://localhost:8080/v1"])
        #expect(configuration.upstreams.map(\.kind) == [.openai])
        #expect(configuration.upstreams[0].baseURL?.port == 8080)
        #expect(configuration.upstreams[0].apiKey == nil)
    }

    @Test func listenIsOverriddenWithAndWithoutAFile() throws {
        let environment = ["HEADGATE_LISTEN": "0.0.0.0:80"]
        #expect(try Configuration.fromEnvironment(environment).listen.description == "0.0.0.0:80")
        #expect(try parse("listen: 127.0.0.1:1", environment: environment).listen.description == "0.0.0.0:80")
    }

    @Test func aFileWithoutUpstreamsTakesThoseOfTheEnvironment() throws {
        let environment = ["OPENAI_API_KEY": "sk-1"]
        #expect(try parse("loops: 1", environment: environment).models.map(\.name) == ["*"])
        let named = try parse("models: {fast: {upstream: openai}}", environment: environment)
        #expect(named.upstreams.map(\.name) == ["openai"])
        #expect(named.models.map(\.name) == ["fast"])
    }

    @Test func aFileWithUpstreamsIgnoresThoseOfTheEnvironment() throws {
        let text = "upstreams: {a: {kind: on-device}}"
        #expect(try parse(text, environment: ["OPENAI_API_KEY": ""]).upstreams.map(\.name) == ["a"])
    }

    @Test func badVariablesAreAllReportedWithoutTheirValues() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.fromEnvironment([
                "OPENAI_API_KEY": "", "OPENAI_BASE_URL": "https://u:hunter2@h", "HEADGATE_LISTEN": "hunter2",
            ])
        }
        #expect(
            error?.issues.map(\.description) == [
                "environment: error: HEADGATE_LISTEN: expected an IP address or localhost as the host, "
                    + "such as 127.0.0.1:8686",
                "environment: error: OPENAI_API_KEY: the variable is empty: give it a value, or unset it",
                "environment: error: OPENAI_BASE_URL: user and password in the URL are refused: "
                    + "put the key into api_key",
            ])
    }
}
