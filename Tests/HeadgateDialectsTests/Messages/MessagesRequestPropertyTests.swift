import HeadgateTesting
import Testing

@testable import HeadgateDialects

@Suite("Any request written for Messages")
struct MessagesRequestPropertyTests {
    @Test(
        "is accepted by the provider", arguments: ["claude-3-5-sonnet", "claude-sonnet-4-5", "claude-opus-4-6", "x"])
    func taken(model: String) throws {
        for seed in 0..<300 {
            var random = SeededGenerator(state: UInt64(seed))
            let request = randomRequest(&random)
            let written = try WrittenMessages(request, model: model)
            #expect(MessagesProviderRules.violations(of: written.body) == [], "seed \(seed): \(written.body.text)")
        }
    }

    private func randomRequest(_ random: inout SeededGenerator) -> ModelRequest {
        let names = ["f", "a.b", "a_b", ""]
        var request = ModelRequest()
        for _ in 0..<Int.random(in: 0...7, using: &random) {
            let role: Message.Role = [.system, .user, .assistant, .assistant, .tool].randomElement(using: &random)!
            let count = Int.random(in: 0...3, using: &random)
            request.messages.append(Message(role, (0..<count).map { _ in randomPart(role, names, &random) }))
        }
        if Bool.random(using: &random) { request.tools = names.map { .function(.init(name: $0)) } }
        request.toolChoice = [nil, .required, .named("a.b"), .allowed(["f"], isRequired: true)].randomElement(
            using: &random)!
        if request.tools.isEmpty, case .allowed = request.toolChoice { request.toolChoice = nil }
        request.allowsParallelCalls = [nil, false].randomElement(using: &random)!
        request.maximumTokens = [nil, 100, 1025, 5000].randomElement(using: &random)!
        let efforts: [ReasoningWish?] = [nil, ReasoningWish(effort: .high), ReasoningWish(effort: .minimal)]
        request.reasoning = efforts.randomElement(using: &random)!
        request.stopSequences = ["\n", "END"]
        request.settings = [.temperature: .number("0.5"), .topK: 3]
        return request
    }

    private func randomPart(_ role: Message.Role, _ names: [String], _ random: inout SeededGenerator) -> Part {
        let texts = ["", " ", "a", "b ", "c\n"]
        let ids = ["1", "2", "call.3", "call:3", ""]
        let text = texts.randomElement(using: &random)!
        let id = ids.randomElement(using: &random)!
        let marker = Int.random(in: 0..<4, using: &random) == 0 ? CacheMarker() : nil
        let isError = Bool.random(using: &random)
        guard role != .tool else {
            let parts = Bool.random(using: &random) ? [] : [Part(.text(text), cacheMarker: marker)]
            return Part(.toolResult(ToolResult(callID: id, parts: parts, isError: isError)), cacheMarker: marker)
        }
        guard role == .assistant else { return Part(.text(text), cacheMarker: marker) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return Part(.text(text), cacheMarker: marker)
        case 1: return Part(.reasoning(Reasoning(text, seal: isError ? ReasoningSeal(.messages, "s") : nil)))
        default: return Part(.call(id, names.randomElement(using: &random)!), cacheMarker: marker)
        }
    }
}
