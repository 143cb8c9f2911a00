import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

extension Relayed {
    static func messages(publicModel: String? = nil) -> TypedStreamTransform.Options { options(.messages, publicModel) }
    static func responses(publicModel: String? = nil) -> TypedStreamTransform.Options {
        options(.responses, publicModel)
    }

    private static func options(_ shape: TypedStreamShape, _ publicModel: String?) -> TypedStreamTransform.Options {
        TypedStreamTransform.Options(
            publicModel: publicModel, terminal: shape.terminal, silent: shape.silent, failing: shape.failing,
            endsWithDone: shape.endsWithDone,
            errors: UpstreamErrorReading(upstream: "up", redaction: SecretRedaction(keys: [Secret(secret)])))
    }

    /// Sends the pieces through a transform of typed events until it has decided.
    init(typed pieces: [ArraySlice<UInt8>], end: BodyEnd, options: TypedStreamTransform.Options) {
        let transform = TypedStreamTransform(options: options)
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
        typed text: String, end: BodyEnd = .none, options: TypedStreamTransform.Options,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Relayed {
        everyWay(typed: Array(text.utf8), end: end, options: options, sourceLocation: sourceLocation)
    }

    static func everyWay(
        typed bytes: [UInt8], end: BodyEnd = .none, options: TypedStreamTransform.Options,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Relayed {
        let whole = Relayed(typed: [bytes[...]], end: end, options: options)
        for cut in bytes.indices.dropFirst() {
            let halves = Relayed(typed: [bytes[..<cut], bytes[cut...]], end: end, options: options)
            #expect(halves == whole, "cut at \(cut)", sourceLocation: sourceLocation)
        }
        let single = Relayed(typed: bytes.indices.map { bytes[$0...$0] }, end: end, options: options)
        #expect(single == whole, "byte by byte", sourceLocation: sourceLocation)
        return whole
    }
}

/// Streams of typed events, as the gateway writes them.
enum Typed {
    /// Returns one event per document, named after its type.
    static func events(_ documents: [String]) -> String {
        documents.map { "event: \(type(of: $0))\ndata: \($0)\n\n" }.joined()
    }

    static func events(_ documents: String...) -> String { events(documents) }

    private static func type(of document: String) -> Substring {
        guard let start = document.firstRange(of: #""type":""#)?.upperBound else { return "" }
        return document[start...].prefix { $0 != "\"" }
    }

    // MARK: Anthropic

    static let start =
        #"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"inner","content":[],"stop_reason":null,"usage":{"input_tokens":9,"output_tokens":1}}}"#
    static let blockStart =
        #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#
    static let ping = #"{"type":"ping"}"#
    static let blockStop = #"{"type":"content_block_stop","index":0}"#
    static let messageDelta =
        #"{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":12}}"#
    static let messageStop = #"{"type":"message_stop"}"#

    static func text(_ text: String) -> String {
        #"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\#(text)"}}"#
    }

    static let message = [start, blockStart, ping, text("Hel"), text("lo"), blockStop, messageDelta, messageStop]

    // MARK: Responses

    static func state(_ type: String, _ status: String, _ number: Int, usage: String = "null") -> String {
        #"{"type":"response.\#(type)","sequence_number":\#(number),"response":{"id":"resp_1","object":"response","status":"\#(status)","model":"inner","output":[],"usage":\#(usage),"error":null}}"#
    }

    static func outputText(_ text: String, _ number: Int) -> String {
        #"{"type":"response.output_text.delta","sequence_number":\#(number),"item_id":"msg_1","output_index":0,"content_index":0,"delta":"\#(text)","logprobs":[]}"#
    }

    static let created = state("created", "in_progress", 0)
    static let inProgress = state("in_progress", "in_progress", 1)
    static let completed = state(
        "completed", "completed", 4, usage: #"{"input_tokens":9,"output_tokens":12,"total_tokens":21}"#)
    static let response = [created, inProgress, outputText("Hel", 2), outputText("lo", 3), completed]
}
