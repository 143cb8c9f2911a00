internal import HeadgateDialects
internal import HeadgatePrices
internal import JSONBytes

extension RequestEnvelope {
    /// Reader of a request's top level, in one pass.
    struct Reader {
        let shape: RequestShape
        var model: String?
        var modelLiteral = 0..<0
        var isStream = false
        var choices = 1
        var output = StatedOutput()
        var hasMessages = false
        var asksUsage = false
        var streamOptions = StreamOptions.absent
        var previousResponse: JSONString?
        var namesConversation = false
        var tier: ServiceTier?
        var state: MessageState?
        var vectors: EmbeddingEncoding?
        var complaint: GatewayError?
        private var seen = Members()

        /// Maximum number of members in a whole request. Parsing a member costs far more than its length suggests.
        static let maximumMembers = 100_000
        /// Maximum bytes of a model's name, as written. The name is logged, and clients choose it if a pattern matches.
        private static let longestModel = 512
        private static let includeUsage = MemberNames(["include_usage"])

        private struct Members: OptionSet {
            let rawValue: UInt16
            static let model = Members(rawValue: 1)
            static let stream = Members(rawValue: 2)
            static let choices = Members(rawValue: 4)
            static let messages = Members(rawValue: 8)
            static let streamOptions = Members(rawValue: 16)
            static let previousResponse = Members(rawValue: 32)
            static let conversation = Members(rawValue: 64)
            static let vectors = Members(rawValue: 128)
            static let tier = Members(rawValue: 256)
            static let speed = Members(rawValue: 512)
            static let thread = Members(rawValue: 1024)
            static let credit = Members(rawValue: 2048)
        }

        init(shape: RequestShape) {
            self.shape = shape
            if shape.encodesVectors { vectors = .float }
        }

        mutating func read(_ document: UnsafeRawBufferPointer) throws(JSONError) {
            if let place = JSONMemberCount.place(above: Reader.maximumMembers, in: document) {
                throw JSONError(.tooManyMembers, at: place)
            }
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
                } else if shape.isStored, cursor.equals(key, "previous_response_id") {
                    try once(.previousResponse, key, cursor)
                    try readPreviousResponse(&cursor)
                } else if shape.isStored, cursor.equals(key, "conversation") {
                    try once(.conversation, key, cursor)
                    if case .null = try cursor.kind() {
                    } else {
                        namesConversation = true
                    }
                    try cursor.skipValue()
                } else if shape.encodesVectors, cursor.equals(key, "encoding_format") {
                    try once(.vectors, key, cursor)
                    try readVectors(&cursor)
                } else if shape.hasTiers, cursor.equals(key, "service_tier") {
                    try once(.tier, key, cursor)
                    try readTier(&cursor)
                } else if shape.hasTiers, cursor.equals(key, "speed") {
                    try once(.speed, key, cursor)
                    try readSpeed(&cursor)
                } else if shape.hasThreads, cursor.equals(key, "thread") {
                    try once(.thread, key, cursor)
                    try readThread(&cursor)
                } else if shape.hasThreads, cursor.equals(key, "fallback_credit_token") {
                    try once(.credit, key, cursor)
                    try readCreditToken(&cursor)
                } else if let name = tokenLimit(key, cursor) {
                    try readTokenLimit(name, &cursor)
                } else if shape.statesMore, try output.readMember(key, &cursor, of: shape) {
                    continue
                } else {
                    try shape.names.refuseLookalike(key, in: cursor)
                    try cursor.skipValue()
                }
            }
            try cursor.finish()
        }

        /// Refuses a repeated member, because the gateway and the upstream might each read a different one.
        private mutating func once(_ member: Members, _ key: JSONString, _ cursor: JSONCursor) throws(JSONError) {
            guard seen.insert(member).inserted else { throw cursor.duplicateKey(key) }
        }

        mutating func complain(_ parameter: String, _ message: String) {
            if complaint == nil {
                complaint = .invalidRequest(400, message, code: "invalid_value", parameter: parameter)
            }
        }

        /// Whether the gateway reads `stream`; on other routes, the upstream validates it.
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
            guard string.contents.count <= Reader.longestModel else {
                return complain("model", "The member 'model' is longer than any model's name.")
            }
            guard !cursor.hasLoneSurrogate(string) else {
                return complain("model", "The member 'model' holds half of a surrogate pair, which is not a character.")
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
            complain("stream_format", "The member 'stream_format' must be \"audio\": speech is relayed as bytes.")
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
            output.note(answers: number)
        }

        private func tokenLimit(_ key: JSONString, _ cursor: JSONCursor) -> StaticString? {
            // The length rules out nearly every other member.
            let length = UInt64(truncatingIfNeeded: min(key.contents.count, 63))
            guard key.hasEscapes || shape.tokenLimitLengths >> length & 1 != 0 else { return nil }
            return shape.tokenLimits.first { cursor.equals(key, $0) }
        }

        /// Reads a limit on tokens. Accepts zero, which some upstreams use.
        private mutating func readTokenLimit(_ name: StaticString, _ cursor: inout JSONCursor) throws(JSONError) {
            if case .null = try cursor.kind() {
                try cursor.skipValue()
                return
            }
            guard let number = try cursor.integer(), number >= 0 else {
                return complain("\(name)", "The member '\(name)' must be a whole number that is not negative.")
            }
            output.note(tokens: number)
        }

        private mutating func readPreviousResponse(_ cursor: inout JSONCursor) throws(JSONError) {
            switch try cursor.kind() {
            case .string: previousResponse = try cursor.string()
            case .null: try cursor.skipValue()
            default:
                complain("previous_response_id", "The member 'previous_response_id' must be a string.")
                try cursor.skipValue()
            }
        }

        /// Reads the encoding of vectors. Accepts those of other providers; the upstream's response to them is relayed.
        private mutating func readVectors(_ cursor: inout JSONCursor) throws(JSONError) {
            switch try cursor.kind() {
            case .string: vectors = EmbeddingEncoding(rawValue: cursor.decoded(try cursor.string()))
            case .null: try cursor.skipValue()
            default:
                vectors = nil
                try cursor.skipValue()
            }
        }

        /// Reads `service_tier` of OpenAI and Anthropic. The upstream validates its value.
        private mutating func readTier(_ cursor: inout JSONCursor) throws(JSONError) {
            guard case .string = try cursor.kind() else {
                try cursor.skipValue()
                return
            }
            let name = try cursor.string()
            guard !cursor.equals(name, "auto") else { return }
            var text: [UInt8] = []
            cursor.appendDecoded(name, to: &text)
            select(text.withUnsafeBytes { ServiceTier(name: $0) })
        }

        /// Records a tier that a member selects. If two members select tiers, the upstream might read either one.
        private mutating func select(_ new: ServiceTier) {
            switch (tier, new) {
            case (nil, _), (.standard?, _): tier = new
            case (_, .standard): break
            default: tier = .other
            }
        }

        /// Reads Anthropic's `speed`.
        private mutating func readSpeed(_ cursor: inout JSONCursor) throws(JSONError) {
            guard case .string = try cursor.kind() else {
                try cursor.skipValue()
                return
            }
            if try cursor.equals(cursor.string(), "fast") { select(.fast) }
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
                    try Reader.includeUsage.refuseLookalike(key, in: cursor)
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
