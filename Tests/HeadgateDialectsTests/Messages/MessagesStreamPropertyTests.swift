import HeadgateTesting
import Testing

@testable import HeadgateDialects

@Suite("Any stream written for Messages")
struct MessagesStreamPropertyTests {
    @Test("has the upstream's content, in balanced blocks")
    func roundTrip() throws {
        for seed in 0..<500 {
            var random = SeededGenerator(state: UInt64(seed))
            let events = randomEvents(&random)
            var writer = MessagesStreamWriter(ResponseContext())
            var output: [UInt8] = []
            for event in events { try writer.write(event, to: &output) }
            let read = try read(output)
            #expect(contents(of: read) == contents(of: events), "seed \(seed)")
            #expect(read.last == .ended)
        }
    }

    /// Reads the stream, and checks the order of its blocks.
    private func read(_ output: [UInt8]) throws -> [ResponseEvent] {
        var reader = MessagesStreamReader()
        var events: [ResponseEvent] = []
        var open: Int?
        var count = 0
        for block in String(decoding: output, as: UTF8.self).split(separator: "\n\n") {
            let event = try JSONValue(Array(block.drop { $0 != "{" }.utf8))
            switch event["type"]?.string {
            case "content_block_start":
                #expect(open == nil && event["index"]?.integer == count)
                open = count
                count += 1
            case "content_block_delta": #expect(open != nil && event["index"]?.integer == open)
            case "content_block_stop":
                #expect(open != nil && event["index"]?.integer == open)
                open = nil
            default: #expect(open == nil)
            }
            reader.read(event, into: &events)
        }
        return events
    }

    /// Returns contents in order, with calls assembled from their fragments.
    private func contents(of events: [ResponseEvent]) -> [String] {
        var contents: [String] = []
        var calls: [Int: Int] = [:]
        func append(_ kind: String, _ text: String) {
            if let last = contents.last, last.hasPrefix(kind) {
                contents[contents.count - 1] += text
            } else if !text.isEmpty {
                contents.append(kind + text)
            }
        }
        for event in events {
            switch event {
            case .text(let text): append("text:", text)
            case .reasoning(let text): append("reasoning:", text)
            case .reasoningSeal(let seal) where seal.kind.isBound: break
            case .reasoningSeal(let seal): contents.append("seal:\(seal.text):\(seal.isRedacted)")
            case .toolCall(let index, let id, let name, _):
                calls[index] = contents.count
                contents.append("call:\(id):\(name):")
            case .toolArguments(let index, let text): if let place = calls[index] { contents[place] += text }
            case .finished(let end): contents.append("end:\(end)")
            case .started, .usage, .refusal, .toolMembers, .compaction, .ended, .failed: break
            }
        }
        return contents
    }

    private func randomEvents(_ random: inout SeededGenerator) -> [ResponseEvent] {
        var events: [ResponseEvent] = [.started(id: nil, model: nil)]
        var callCount = 0
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: events += [.text("a\"\n"), .text(""), .text("é")]
            case 1:
                let isRedacted = Bool.random(using: &random)
                if !isRedacted { events.append(.reasoning("r")) }
                events.append(.reasoningSeal(ReasoningSeal(.messages, "s", isRedacted: isRedacted)))
            default:
                let new = callCount..<callCount + Int.random(in: 1...3, using: &random)
                callCount = new.upperBound
                events += interleaved(Array(new), &random)
            }
        }
        return events + [.finished(callCount > 0 ? .toolCalls : .stop), .ended]
    }

    /// Returns calls whose fragments alternate at random.
    private func interleaved(_ indices: [Int], _ random: inout SeededGenerator) -> [ResponseEvent] {
        var fragments = indices.map { _ in ["{\"x\":", "\"}{\\\"", "\"", ",\"y\":[{}]", "}"] }
        var events = indices.map { ResponseEvent.toolCall(index: $0, id: "\($0)", name: "f", isCustom: false) }
        while let place = fragments.indices.filter({ !fragments[$0].isEmpty }).randomElement(using: &random) {
            events.append(.toolArguments(index: indices[place], fragments[place].removeFirst()))
        }
        return events
    }
}
