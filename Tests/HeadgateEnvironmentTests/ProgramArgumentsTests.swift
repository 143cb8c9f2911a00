import HeadgateEnvironment
import Testing

@Suite struct ProgramArgumentsTests {
    private let gateway = GatewayAddress(url: "http://127.0.0.1:8686", host: "127.0.0.1", isLoopback: true, key: "k")

    @Test(arguments: ["codex", "/opt/bin/codex"]) func codexGetsTheGatewayAsAProvider(program: String) {
        let command = ProgramArguments.leading([program, "exec", "--json", "Hi"], to: gateway)
        #expect(command.first == program && command.suffix(3) == ["exec", "--json", "Hi"])
        #expect(command.contains("model_providers.headgate.base_url=\"http://127.0.0.1:8686/v1\""))
        #expect(command.contains("model_providers.headgate.env_key=\"HEADGATE_KEY\""))
        #expect(!command.joined().contains("\"k\""), "a key is no argument: everybody can read those")
        let options = command.dropFirst().dropLast(3)
        #expect(options.enumerated().allSatisfy { $0 % 2 == 1 || $1 == "-c" })
    }

    @Test(arguments: [
        ["claude", "-p", "Hi"], ["codex", "--oss"], ["codex", "-c", "model_provider=\"mine\""], ["my-codex"],
    ])
    func otherProgramsGetNoArguments(command: [String]) {
        #expect(ProgramArguments.leading(command, to: gateway) == command)
    }
}
