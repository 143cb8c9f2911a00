import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Outcome of relaying an upstream's bytes.
struct Relayed: Equatable {
    enum End: Equatable {
        case open
        case finished
        case finishedUncleanly
        case failed(code: String?, message: String)
        /// Failed with an error event of the upstream.
        case reported(code: String?, message: String)
    }

    /// How the upstream's body ended.
    enum BodyEnd {
        case none, clean, broken
    }

    var text = ""
    var end = End.open
    var events = 0
    /// Number of bytes of the model's text.
    var octets = 0
    var tokens: [Int?] = []
    var finishReason: String?

    static let secret = "sk-upstream-secret"

    static func options(
        publicModel: String? = nil, choices: Int = 1, keepsUsage: Bool = false, eventLimit: Int = 16 << 20
    ) -> ChatStreamTransform.Options {
        ChatStreamTransform.Options(
            publicModel: publicModel, choices: choices, keepsUsage: keepsUsage, eventLimit: eventLimit,
            errors: UpstreamErrorReading(upstream: "up", redaction: SecretRedaction(keys: [Secret(secret)])))
    }

    /// Sends the pieces through a transform until it has decided.
    init(_ pieces: [ArraySlice<UInt8>], end: BodyEnd, options: ChatStreamTransform.Options = Relayed.options()) {
        let transform = ChatStreamTransform(options: options)
        var output: [UInt8] = []
        var verdict = EventAssembler.Verdict.more
        for piece in pieces {
            verdict = piece.withUnsafeBytes { transform.receive($0, into: &output) }
            guard case .more = verdict else { break }
        }
        if case .more = verdict {
            switch end {
            case .none: break
            case .clean: verdict = transform.end(nil, into: &output)
            case .broken: verdict = transform.end(TransportError(.truncatedBody), into: &output)
            }
        }
        text = String(decoding: output, as: UTF8.self)
        self.end = End(verdict)
        events = transform.counts.events
        octets = transform.counts.textBytes
        tokens = [transform.counts.promptTokens, transform.counts.completionTokens]
        finishReason = transform.counts.finishReason
    }

    /// Returns the result for the whole input, after checking that every split, and every byte on its own, gives the
    /// same.
    static func everyWay(
        _ bytes: [UInt8], end: BodyEnd = .none, options: ChatStreamTransform.Options = Relayed.options(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Relayed {
        let whole = Relayed([bytes[...]], end: end, options: options)
        for cut in bytes.indices.dropFirst() {
            let halves = Relayed([bytes[..<cut], bytes[cut...]], end: end, options: options)
            #expect(halves == whole, "cut at \(cut)", sourceLocation: sourceLocation)
        }
        let single = Relayed(bytes.indices.map { bytes[$0...$0] }, end: end, options: options)
        #expect(single == whole, "byte by byte", sourceLocation: sourceLocation)
        return whole
    }

    static func everyWay(
        _ text: String, end: BodyEnd = .none, options: ChatStreamTransform.Options = Relayed.options(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Relayed {
        everyWay(Array(text.utf8), end: end, options: options, sourceLocation: sourceLocation)
    }

    /// Returns the result for the input in one piece, if it is too large to be split everywhere.
    static func atOnce(
        _ text: String, end: BodyEnd = .none, options: ChatStreamTransform.Options = Relayed.options()
    ) -> Relayed {
        Relayed([Array(text.utf8)[...]], end: end, options: options)
    }

    /// Code of the error that the stream ended with.
    var code: String? { end.code }

    var message: String? {
        if case .failed(_, let message) = end { message } else { nil }
    }
}

extension Relayed.End {
    var code: String? {
        switch self {
        case .failed(let code, _), .reported(let code, _): code
        case .open, .finished, .finishedUncleanly: nil
        }
    }

    init(_ verdict: EventAssembler.Verdict) {
        self =
            switch verdict {
            case .more: .open
            case .finished(let unclean): unclean ? .finishedUncleanly : .finished
            case .failed(let error): .failed(code: error.code, message: error.message)
            case .reported(let error): .reported(code: error.code, message: error.message)
            }
    }
}

/// Documents of chat streams.
enum Chunk {
    static let role =
        #"{"id":"c1","model":"inner","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#
    static let usage = #"{"id":"c1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":12,"total_tokens":21}}"#
    static let stop = finish(0)

    static func content(_ text: String, index: Int = 0) -> String {
        #"{"id":"c1","model":"inner","choices":[{"index":\#(index),"delta":{"content":"\#(text)"},"finish_reason":null}]}"#
    }

    static func finish(_ index: Int, reason: String = "stop") -> String {
        #"{"id":"c1","model":"inner","choices":[{"index":\#(index),"delta":{},"finish_reason":"\#(reason)"}]}"#
    }

    /// Returns one event per document, as the gateway writes them.
    static func events(_ documents: String...) -> String {
        documents.map { "data: \($0)\n\n" }.joined()
    }

    static let done = "data: [DONE]\n\n"
}
