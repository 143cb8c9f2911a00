internal import HeadgateConfiguration
internal import HeadgateDialects
package import HeadgatePrices
internal import JSONBytes

/// Members of a request that the gateway reads, found in its bytes without decoding the rest.
package struct RequestEnvelope {
    package private(set) var model: String
    package private(set) var isStream: Bool
    /// Number of requested choices (`n`).
    let choices: Int
    let output: StatedOutput
    /// Whether the client itself requested usage in its stream.
    package let asksUsage: Bool
    /// Whether the request continues a conversation that the upstream stores.
    package let namesConversation: Bool
    /// Service tier that the request selects; nil if it leaves the choice to the upstream.
    package let tier: ServiceTier?
    /// State of Anthropic's Messages API that the request continues; nil if there is none.
    let state: MessageState?
    /// Encoding in which the client receives vectors; nil to relay the upstream's encoding.
    let vectors: EmbeddingEncoding?

    package let shape: RequestShape
    /// Body as the client sent it, except for rewritten parameters.
    package let bytes: [UInt8]
    private let modelLiteral: Range<Int>
    private let streamOptions: StreamOptions
    private let previousResponse: JSONString?

    /// Size of the request body, in bytes.
    package var size: Int { bytes.count }

    enum StreamOptions {
        case absent
        /// `null`, or anything else that is not an object.
        case replaceable(Range<Int>)
        case object(start: Int, isEmpty: Bool, includeUsage: Range<Int>?)
    }

    /// - Throws: ``GatewayError`` with status 400. For invalid JSON, the message has the byte offset of the fault.
    package init(_ bytes: [UInt8], shape: RequestShape = .chat) throws(GatewayError) {
        var reader = Reader(shape: shape)
        do throws(JSONError) {
            try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
                try reader.read(UnsafeRawBufferPointer(buffer))
            }
        } catch {
            throw RequestEnvelope.fault(error)
        }
        if let complaint = reader.complaint { throw complaint }
        guard let model = reader.model, !model.isEmpty else {
            throw .invalidRequest(400, "The member 'model' is missing: name a model as a string.", parameter: "model")
        }
        guard reader.hasMessages || !shape.needsMessages else {
            throw .invalidRequest(
                400, "The member 'messages' is missing: it is an array of messages.", parameter: "messages")
        }
        self.shape = shape
        self.bytes = bytes
        self.model = model
        modelLiteral = reader.modelLiteral
        isStream = reader.isStream
        choices = reader.choices
        output = reader.output
        streamOptions = reader.streamOptions
        asksUsage = reader.asksUsage
        previousResponse = reader.previousResponse
        namesConversation = reader.namesConversation
        tier = reader.tier
        state = reader.state
        vectors = reader.vectors
    }

    /// Creates the envelope of a multipart form, without its body.
    package init(formFor model: String, shape: RequestShape) {
        self.shape = shape
        self.model = model
        bytes = []
        modelLiteral = 0..<0
        isStream = false
        choices = 1
        output = StatedOutput()
        streamOptions = .absent
        asksUsage = false
        previousResponse = nil
        namesConversation = false
        tier = nil
        state = nil
        vectors = nil
    }

    /// Returns a copy with another model name and stream flag, but the same body.
    package func read(asFor model: String, isStream: Bool) -> RequestEnvelope {
        var envelope = self
        envelope.model = model
        envelope.isStream = isStream
        return envelope
    }

    /// Whether the request continues a previous response.
    var continuesResponse: Bool { previousResponse != nil }

    /// Id of the previous response that the request continues; nil if there is none.
    package var previousResponseID: String? {
        previousResponse.map { id in bytes.withUnsafeBytes { JSONCursor($0).decoded(id) } }
    }

    /// Returns the body for the upstream: with its model name, and `include_usage` for streams. All else is unchanged
    /// byte for byte.
    package func upstreamBody(model upstreamModel: String?) -> [UInt8] {
        var edits: [JSONEdit] = []
        if let upstreamModel { edits.append(JSONEdit(modelLiteral, JSONEscaping.literal(upstreamModel))) }
        if isStream, shape.asksUsage, let edit = usageEdit { edits.append(edit) }
        guard !edits.isEmpty else { return bytes }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
        return bytes.withUnsafeBytes { JSONSplice.applying(edits, to: $0) }
    }

    private var usageEdit: JSONEdit? {
        switch streamOptions {
        case .absent:
            guard let brace = bytes.firstIndex(of: UInt8(ascii: "{")) else { return nil }
            return JSONEdit(brace + 1..<brace + 1, Array("\"stream_options\":{\"include_usage\":true},".utf8))
        case .replaceable(let range): return JSONEdit(range, Array("{\"include_usage\":true}".utf8))
        case .object(_, _, let present?): return asksUsage ? nil : JSONEdit(present, Array("true".utf8))
        case .object(let start, let isEmpty, nil):
            return JSONEdit(start..<start, Array((isEmpty ? "\"include_usage\":true" : "\"include_usage\":true,").utf8))
        }
    }

    static func fault(_ error: JSONError) -> GatewayError {
        switch error.kind {
        case .ambiguousKey(let name, let meant):
            return .invalidRequest(
                400,
                "The member '\(name)' is not '\(meant)', and an upstream that ignores case takes it for that: leave "
                    + "it out, or write '\(meant)' (byte \(error.offset)).",
                code: "ambiguous_member", parameter: name)
        case .loneSurrogate(let name):
            return .invalidRequest(
                400,
                "The name of the member '\(name)' holds half of a surrogate pair, which is not a character (byte "
                    + "\(error.offset)).",
                code: "invalid_value", parameter: name)
        case .tooManyMembers:
            return .invalidRequest(
                400,
                "The request has more than \(Reader.maximumMembers) members (at byte \(error.offset)): send it in "
                    + "parts.",
                code: "too_many_members")
        case .duplicateKey(let name):
            return .invalidRequest(
                400, "The member '\(name)' stands twice in the request (byte \(error.offset)).",
                code: "duplicate_member",
                parameter: name)
        default: return .invalidRequest(400, "The request body is refused: \(error.description).", code: "invalid_json")
        }
    }
}
