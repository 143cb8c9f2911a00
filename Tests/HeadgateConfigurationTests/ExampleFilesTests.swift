import Foundation
import HeadgateConfiguration
import Testing

@Suite struct ExampleFilesTests {
    @Test func theMinimalFileLoadsWithAnEmptyEnvironment() throws {
        let configuration = try Configuration.load(path: Example.minimalPath, environment: [:])
        #expect(configuration == (try Configuration.fromEnvironment([:])))
    }

    @Test func theExampleLoadsInItsEnvironment() throws {
        let example = try Example()
        let configuration = try Configuration.load(path: Example.path, environment: example.environment)
        #expect(
            configuration.upstreams.map(\.name) == [
                "openai", "anthropic", "azure", "vllm", "vertex", "corporate", "local", "sock", "device",
            ])
        #expect(configuration.keys[0].expires == 1_798_761_600)
        #expect(configuration.upstreams[1].apiKeys == [Secret("sk-anthropic")])
        #expect(configuration.upstreams[2].apiKeys == [Secret("azure-key")])
        #expect(configuration.listeners.map(\.authentication) == [.key, .key, .key, .peer, .none, .key, .none])
    }

    @Test func exampleOfTargetsLoadsWithoutAWarning() throws {
        let environment = [
            "OPENAI_API_KEY_A": "sk-1", "OPENAI_API_KEY_B": "sk-2", "AZURE_OPENAI_API_KEY": "k",
            "AZURE_OPENAI_ENDPOINT": "https://n.openai.azure.com",
        ]
        let text = try String(contentsOfFile: Example.targetsPath, encoding: .utf8)
        #expect(try warnings(text, environment: environment).isEmpty)
        let configuration = try parse(text, environment: environment)
        #expect(configuration.models.map(\.targets.count) == [3, 2, 2, 2])
        #expect(configuration.upstreams.map(\.isLocal) == [false, false, true, true])
    }

    @Test func theExampleNamesEveryMissingVariable() {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.load(path: Example.path, environment: [:])
        }
        let messages = error?.issues.map(\.message) ?? []
        for part in ["cert: ", "key: ", "api_key: ", "file: ", "credential: ", "ca: "] {
            #expect(messages.contains { $0.hasPrefix(part) }, "\(part)")
        }
        #expect(messages.count == 6)
    }
}
