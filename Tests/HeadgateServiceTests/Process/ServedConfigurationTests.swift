import HeadgateConfiguration
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct ServedConfigurationTests {
    private let folder: TemporaryFolder
    private let environment: [String: String]

    init() throws {
        folder = try TemporaryFolder()
        environment = ["OPENAI_API_KEY": "sk-test", "XDG_CONFIG_HOME": folder.path]
    }

    @Test func gatewayWithASecretAndNoConfiguredKeyCreatesOne() throws {
        let served = try load()
        guard case .generated(let key, let path) = served.authentication else {
            Issue.record("no key was made: \(served.authentication)")
            return
        }
        #expect(path == folder.path + "/headgate/key")
        #expect(try folder.read("headgate/key") == key + "\n")
    }

    @Test func fileAndAddressWarningsAreBothReported() throws {
        let keys = "keys: [{name: a, sha256: \"\(String(repeating: "0", count: 64))\"}]"
        let file = try folder.file("headgate.yaml", "listen: \"0.0.0.0:8686\"\n\(keys)\n")
        let served = try load(file)
        #expect(served.warnings.contains { $0.hasPrefix("warning: 0.0.0.0:8686 can be reached") })
    }

    @Test func companionServesOneCommandOnAFreePortOfThisMachine() throws {
        let companion = try CompanionService.adopt([CompanionService.variable: "hg-session"])
        let file = try folder.file("headgate.yaml", "listen: 127.0.0.1:8686\nloops: 8\n")
        let served = try load(file, companion: companion)
        #expect(served.configuration.listeners == [ListenerConfiguration(address: .tcp(host: "127.0.0.1", port: 0))])
        #expect(served.configuration.loops == 1)
        #expect(served.authentication.keys.map(\.name) == ["session"])
        #expect(fileMode(folder.path + "/headgate") == nil, "no key file is made for it")
    }

    @Test(arguments: [[:], [CompanionService.variable: ""]])
    func companionWithoutAKeyIsRefused(environment: [String: String]) {
        #expect(throws: Complaint.self) { try CompanionService.adopt(environment) }
    }

    private func load(_ file: String? = nil, companion: CompanionService? = nil) throws -> ServedConfiguration {
        try ServedConfiguration.load(
            ConfigurationSource(file: file, environment: environment), environment: environment, companion: companion)
    }
}
