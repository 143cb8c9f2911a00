internal import JSONBytes

/// The few members of a request that the gateway reads, found in its bytes without decoding the rest.
struct RequestEnvelope {
    let model: String
    let isStream: Bool
    /// Answers asked for.
    let choices: Int
    /// Whether the client itself asked for usage in its stream.
    let asksUsage: Bool

    private let shape: RequestShape
    private let bytes: [UInt8]
    private let modelLiteral: Range<Int>
    private let streamOptions: StreamOptions

    /// Octets, as written. A name goes into the log, and where a pattern matches it is the caller's own.
    private static let longestModel = 512

    private enum StreamOptions {
        case absent
        /// `null`, or anything else that is not an object.
        case replaceable(Range<Int>)
        case object(start: Int, isEmpty: Bool, includeUsage: Range<Int>?)
    }

    /// - Throws: ``GatewayError`` with status 400 and the place of the fault.
    init(_ bytes: [UInt8], shape: RequestShape = .chat) throws(GatewayError) {
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
        streamOptions = reader.streamOptions
        asksUsage = reader.asksUsage
    }

    /// The body as the upstream gets it: its own model name, and usage asked for in streams. All else is byte for byte
    /// the same.
    func upstreamBody(model upstreamModel: String?) -> [UInt8] {
        var edits: [JSONEdit] = []
        if let upstreamModel { edits.append(JSONEdit(modelLiteral, JSONEscaping.literal(upstreamModel))) }
        if isStream, shape.asksUsage, let edit = usageEdit { edits.append(edit) }
        guard !edits.isEmpty else { return bytes }
        edits.sort { $0.range.lowerBound < $1.range.lowerBound }
        return bytes.withUnsafeBytes { JSONSplice.applying(edits, to: $0) }
    }

    /// The request with its parameters as the upstream wants them; what they mean is read again.
    func rewritten(by rewriting: ParameterRewriting) throws(GatewayError) -> RequestEnvelope {
        let rewritten: [UInt8]
        do throws(JSONError) {
            rewritten = try rewriting.rewritten(bytes)
        } catch {
            throw RequestEnvelope.fault(error)
        }
        return try RequestEnvelope(rewritten, shape: shape)
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

    private static func fault(_ error: JSONError) -> GatewayError {
        switch error.kind {
        case .duplicateKey(let name):
            return .invalidRequest(
                400, "The member '\(name)' stands twice in the request (byte \(error.offset)).",
                code: "duplicate_member",
                parameter: name)
        default: return .invalidRequest(400, "The request body is refused: \(error.description).", code: "invalid_json")
        }
    }

    /// One pass over the top level.
    private struct Reader {
        let shape: RequestShape
        var model: String?
        var modelLiteral = 0..<0
        var isStream = false
        var choices = 1
        var hasMessages = false
        var asksUsage = false
        var streamOptions = StreamOptions.absent
        var complaint: GatewayError?
        private var seen = Members()

        private struct Members: OptionSet {
            let rawValue: UInt8
            static let model = Members(rawValue: 1)
            static let stream = Members(rawValue: 2)
            static let choices = Members(rawValue: 4)
            static let messages = Members(rawValue: 8)
            static let streamOptions = Members(rawValue: 16)
        }

        init(shape: RequestShape) { self.shape = shape }

        mutating func read(_ document: UnsafeRawBufferPointer) throws(JSONError) {
            var cursor = JSONCursor(document)
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                if cursor.equals(key, "model") {
                    try once(.model, key, cursor)
                    try readModel(&cursor)
                } else if readsStream, cursor.equals(key, "stream") {
                    try once(.stream, key, cursor)
                    try readStream(&cursor)
                } else if refusesFormat, cursor.equals(key, "stream_format") {
                    try once(.stream, key, cursor)
                    try readStreamFormat(&cursor)
                } else if shape.countsChoices, cursor.equals(key, "n") {
                    try once(.choices, key, cursor)
                    try readChoices(&cursor)
                } else if shape.needsMessages, cursor.equals(key, "messages") {
                    try once(.messages, key, cursor)
                    if case .array = try cursor.kind() {
                    } else {
                        complain("messages", "The member 'messages' must be an array of messages.")
                    }
                    hasMessages = true
                    try cursor.skipValue()
                } else if shape.asksUsage, cursor.equals(key, "stream_options") {
                    try once(.streamOptions, key, cursor)
                    try readStreamOptions(&cursor)
                } else {
                    try cursor.skipValue()
                }
            }
            try cursor.finish()
        }

        /// The gateway and the upstream might each believe another one of two: a repeated member is refused.
        private mutating func once(_ member: Members, _ key: JSONString, _ cursor: JSONCursor) throws(JSONError) {
            guard seen.insert(member).inserted else { throw cursor.duplicateKey(key) }
        }

        private mutating func complain(_ parameter: String, _ message: String) {
            if complaint == nil {
                complaint = .invalidRequest(400, message, code: "invalid_value", parameter: parameter)
            }
        }

        /// Where the member means nothing it is the upstream's to judge.
        private var readsStream: Bool {
            switch shape.streams {
            case .asked, .refused: true
            case .ignored, .refusedByFormat: false
            }
        }

        private mutating func readModel(_ cursor: inout JSONCursor) throws(JSONError) {
            guard case .string = try cursor.kind() else {
                complain("model", "The member 'model' must be a string.")
                try cursor.skipValue()
                return
            }
            let string = try cursor.string()
            guard string.contents.count <= RequestEnvelope.longestModel else {
                return complain("model", "The member 'model' is longer than any model's name.")
            }
            modelLiteral = string.literal
            model = cursor.decoded(string)
        }

        private mutating func readStream(_ cursor: inout JSONCursor) throws(JSONError) {
            switch try cursor.kind() {
            case .true, .false:
                isStream = try cursor.bool()
                if isStream, case .refused = shape.streams {
                    complain("stream", "There are no streams on this route: leave 'stream' out.")
                }
            case .null: try cursor.skipValue()
            default:
                complain("stream", "The member 'stream' must be true or false.")
                try cursor.skipValue()
            }
        }

        private var refusesFormat: Bool {
            if case .refusedByFormat = shape.streams { true } else { false }
        }

        private mutating func readStreamFormat(_ cursor: inout JSONCursor) throws(JSONError) {
            let kind = try cursor.kind()
            if case .null = kind {
                try cursor.skipValue()
                return
            }
            if case .string = kind, try cursor.equals(cursor.string(), "audio") { return }
            complain("stream_format", "The member 'stream_format' must be \"audio\": speech is relayed as octets.")
            if case .string = kind { return }
            try cursor.skipValue()
        }

        private mutating func readChoices(_ cursor: inout JSONCursor) throws(JSONError) {
            if case .null = try cursor.kind() {
                try cursor.skipValue()
                return
            }
            guard let number = try cursor.integer(), (1...128).contains(number) else {
                return complain("n", "The member 'n' must be an integer from 1 to 128.")
            }
            choices = number
        }

        private mutating func readStreamOptions(_ cursor: inout JSONCursor) throws(JSONError) {
            guard case .object = try cursor.kind() else {
                if case .null = try cursor.kind() {
                } else {
                    complain("stream_options", "The member 'stream_options' must be an object.")
                }
                streamOptions = .replaceable(try cursor.skipValue())
                return
            }
            try cursor.beginObject()
            let start = cursor.offset
            var isEmpty = true
            var includeUsage: Range<Int>?
            while let key = try cursor.nextKey() {
                isEmpty = false
                guard cursor.equals(key, "include_usage") else {
                    try cursor.skipValue()
                    continue
                }
                guard includeUsage == nil else { throw cursor.duplicateKey(key) }
                if case .true = try cursor.kind() { asksUsage = true }
                includeUsage = try cursor.skipValue()
            }
            streamOptions = .object(start: start, isEmpty: isEmpty, includeUsage: includeUsage)
        }
    }
}
