import HeadgateConfiguration
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct SetupPlanTests {
    private func provider(_ name: String) throws -> KnownProvider { try #require(KnownProvider.named(name)) }

    private func configuration(_ plan: SetupPlan, _ environment: [String: String]) throws -> Configuration {
        try Configuration.parse(text: plan.text, file: "headgate.yaml", environment: environment)
    }

    @Test func everyProviderYieldsAWorkingConfiguration() throws {
        for provider in KnownProvider.all {
            let plan = SetupPlan([.init(provider)])
            try plan.check(file: "headgate.yaml", isKeyed: true, environment: [:])
        }
    }

    @Test func allProvidersTogetherMakeOneToo() throws {
        let plan = SetupPlan(KnownProvider.all.map { .init($0) }, keyDigest: String(repeating: "0a", count: 32))
        try plan.check(file: "headgate.yaml", isKeyed: true, environment: [:])
        #expect(plan.text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test func secretsAreNamedAndNotWritten() throws {
        let plan = SetupPlan([
            .init(try provider("openai")), .init(try provider("anthropic"), key: .file("/home/me/anthropic.key")),
        ])
        #expect(plan.variables == ["OPENAI_API_KEY"])
        #expect(plan.text.contains("api_key: \"${OPENAI_API_KEY:?"))
        #expect(plan.text.contains("api_key: {file: /home/me/anthropic.key}"))
        // Without the key, a start reports what is missing.
        let error = #expect(throws: ConfigurationError.self) { try configuration(plan, [:]) }
        #expect(error?.issues.first?.message.contains("set it to your key of OpenAI") == true)
    }

    @Test func pastedKeyIsCheckedFirstAndWrittenOnlyToItsFile() throws {
        var upstream = SetupPlan.Upstream(try provider("anthropic"), key: .file("/none/anthropic.key"))
        #expect(throws: Complaint.self) {
            try SetupPlan([upstream]).check(file: "headgate.yaml", isKeyed: true, environment: [:])
        }
        upstream.pastedKey = "sk-test"
        let plan = SetupPlan([upstream])
        try plan.check(file: "headgate.yaml", isKeyed: true, environment: [:])
        #expect(plan.text.contains("api_key: {file: /none/anthropic.key}") && !plan.text.contains("sk-test"))
        upstream.pastedKey = "sk-\u{7}test"
        let complaint = #expect(throws: Complaint.self) {
            try SetupPlan([upstream]).check(file: "headgate.yaml", isKeyed: true, environment: [:])
        }
        #expect(complaint?.message.contains("sk-") == false)
    }

    @Test func eachVendorsModelsGoThereAndTheRestToAnAggregator() throws {
        let plan = SetupPlan([
            .init(try provider("openai")), .init(try provider("anthropic")), .init(try provider("openrouter")),
            .init(try provider("on-device")),
        ])
        let environment = ["OPENAI_API_KEY": "a", "ANTHROPIC_API_KEY": "b", "OPENROUTER_API_KEY": "c"]
        let models = try configuration(plan, environment).models
        func upstream(_ name: String) -> String? { models.first { $0.name == name }?.targets[0].upstream }
        #expect(upstream("gpt-*") == "openai" && upstream("claude-*") == "anthropic")
        #expect(upstream("*") == "openrouter" && upstream("smollm2") == "on-device")
    }

    @Test func serverOnAnotherMachineIsAllowedToBeReachedInTheClear() throws {
        let environment = ["OLLAMA_HOST": "gpu.lan:11434"]
        let ollama = try provider("ollama")
        let plan = SetupPlan([.init(ollama, url: try ollama.url(in: environment))])
        let upstream = try configuration(plan, [:]).upstreams[0]
        #expect(upstream.baseURL?.description == "http://gpu.lan:11434/v1" && upstream.allowsPrivateAddresses)
        #expect(!plan.hasSecret)
    }

    @Test func selfReferencingGatewayIsNotWritten() throws {
        let plan = SetupPlan([.init(try provider("openai"), url: "http://127.0.0.1:8686/v1")])
        let complaint = #expect(throws: Complaint.self) {
            try plan.check(file: "headgate.yaml", isKeyed: true, environment: ["OPENAI_API_KEY": "sk-x"])
        }
        #expect(complaint?.message.contains("is this gateway itself") == true)
    }
}
