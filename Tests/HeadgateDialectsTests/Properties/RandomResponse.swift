import HeadgateTesting

@testable import HeadgateDialects

/// Random responses as events; equal seeds give equal responses.
struct RandomResponse {
    private var random: SeededGenerator
    private var words: RandomConversation

    static func events(seed: UInt64) -> [ResponseEvent] {
        var response = RandomResponse(seed: seed)
        return response.events()
    }

    private init(seed: UInt64) {
        random = SeededGenerator(state: seed)
        words = RandomConversation(seed: seed)
    }

    private mutating func events() -> [ResponseEvent] {
        var events: [ResponseEvent] = [.started(id: "up_1", model: "u")]
        if chance(2) { events += deltas().map(ResponseEvent.reasoning) }
        if !chance(4) { events += deltas().map(ResponseEvent.text) }
        let calls = Int.random(in: 0...3, using: &random)
        events += self.calls(calls)
        let end: ResponseEnd = chance(5) ? .length : calls > 0 ? .toolCalls : .stop
        return events + [.usage(Self.usage), .finished(end), .ended]
    }

    static let usage = TokenUsage(input: 30, cachedInput: 10, cacheWrites: 5, output: 20, reasoning: 4)

    private mutating func chance(_ share: Int) -> Bool { Int.random(in: 0..<share, using: &random) == 0 }

    private mutating func deltas() -> [String] {
        (0...Int.random(in: 0...4, using: &random)).map { _ in words.text() }
    }

    /// Returns calls whose fragments alternate.
    private mutating func calls(_ count: Int) -> [ResponseEvent] {
        var waiting: [[ResponseEvent]] = (0..<count).map { index in
            let arguments = Array(words.value(depth: 2, isObject: true).text.unicodeScalars)
            let cut = Int.random(in: 0...arguments.count, using: &random)
            return [
                .toolCall(index: index, id: "call_\(index)", name: "find", isCustom: false),
                .toolArguments(index: index, String(String.UnicodeScalarView(arguments[..<cut]))),
                .toolArguments(index: index, String(String.UnicodeScalarView(arguments[cut...]))),
            ]
        }
        var events: [ResponseEvent] = []
        // Each call begins after its predecessor has begun.
        while let next = waiting.indices.filter({ !waiting[$0].isEmpty }).randomElement(using: &random) {
            let isBeginning = waiting[next].count == 3
            guard !isBeginning || waiting[..<next].allSatisfy({ $0.count < 3 }) else { continue }
            events.append(waiting[next].removeFirst())
        }
        return events
    }
}
