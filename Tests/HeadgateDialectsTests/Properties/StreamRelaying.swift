import Testing

@testable import HeadgateDialects

/// Streams for tests of translations.
enum Streams {
    /// Content of the events, independent of how it is divided into deltas.
    struct Summary: Equatable {
        /// Reasoning, texts, refusals and calls in their order.
        var pieces: [[String]] = []
        var usage = TokenUsage()
        var end: ResponseEnd?
        var hasEnded = false

        init(_ events: [ResponseEvent]) {
            var calls: [Int: Int] = [:]
            for event in events {
                switch event {
                case .started, .toolMembers, .compaction, .failed: break
                case .text(let text): append(text, to: "text")
                case .refusal(let text): append(text, to: "refusal")
                case .reasoning(let text): append(text, to: "reasoning")
                // Reasoning without a seal gets one that is bound to its upstream; such seals are left out.
                case .reasoningSeal(let seal):
                    let isBound = ReasoningSeal(written: seal.written(for: seal.format), by: seal.format).kind.isBound
                    if !isBound { pieces.append(["seal", "\(seal)"]) }
                case .toolCall(let index, let id, let name, let isCustom):
                    calls[index] = pieces.count
                    pieces.append([isCustom ? "custom" : "function", id, name, ""])
                case .toolArguments(let index, let fragment):
                    if let piece = calls[index] { pieces[piece][3] += fragment }
                case .usage(let report): usage.update(with: report)
                case .finished(let end): self.end = end
                case .ended: hasEnded = true
                }
            }
        }

        private mutating func append(_ text: String, to kind: String) {
            guard !text.isEmpty else { return }
            if pieces.last?.first == kind {
                pieces[pieces.count - 1][1] += text
            } else {
                pieces.append([kind, text])
            }
        }
    }

    static var context: ResponseContext {
        var context = ResponseContext()
        context.id = "7"
        context.created = 5
        context.model = "smart"
        return context
    }

    static func write(
        _ events: [ResponseEvent], as format: WireFormat, _ context: ResponseContext = context
    ) throws -> [UInt8] {
        var writer = ClientFormat(format).streamWriter(isSummary: false).init(context)
        var output: [UInt8] = []
        for event in events { try writer.write(event, to: &output) }
        return output
    }

    static func read(_ stream: [UInt8], as format: WireFormat) throws -> [ResponseEvent] {
        var reader = format.streamReader.init()
        var events: [ResponseEvent] = []
        for document in documents(of: stream) {
            if document == doneMark {
                events.append(.ended)
            } else {
                reader.read(try JSONValue(document), into: &events)
            }
        }
        return events
    }

    /// Translates a stream as the gateway does, except for errors.
    static func translate(
        _ stream: [UInt8], from upstream: WireFormat, to client: WireFormat, _ context: ResponseContext = context
    ) throws -> [UInt8] {
        var translation = StreamTranslation(from: upstream, to: ClientFormat(client), context)
        var output: [UInt8] = []
        for document in documents(of: stream) where !translation.facts.hasEnded {
            if document == doneMark {
                #expect(try translation.end(isMarked: true, into: &output))
            } else {
                try document.withUnsafeBytes { try translation.receive($0, into: &output) }
            }
        }
        #expect(translation.facts.hasEnded)
        return output
    }

    static let doneMark = Array("[DONE]".utf8)

    /// Returns the data of each event in a stream with one data line per event.
    static func documents(of stream: [UInt8]) -> [[UInt8]] {
        String(decoding: stream, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.hasPrefix("data: ") ? Array(line.dropFirst("data: ".count).utf8) : nil
        }
    }
}
