internal import HeadgateDialects
package import HeadgatePrices
internal import JSONBytes

/// Parts of a response's usage that have their own prices, such as cache tokens, the service tier and audio.
package struct UsageDetails: Sendable, Equatable {
    /// Tokens of the prompt that were read from the upstream's cache.
    package var cacheRead: Int?
    /// Tokens of the prompt that were written to the upstream's cache.
    package var cacheWritten: Int?
    /// Service tier that processed the request; nil if the upstream does not report it.
    private var serviceTier: ServiceTier?
    /// Whether the request was processed in Anthropic's fast mode.
    private var isFast = false
    /// Parts that few responses have; nil if there are none.
    private var special: SpecialUsage?

    init(cacheRead: Int? = nil, cacheWritten: Int? = nil) {
        self.cacheRead = cacheRead
        self.cacheWritten = cacheWritten
    }

    /// Tier whose prices apply.
    package var tier: ServiceTier {
        guard isFast else { return serviceTier ?? .standard }
        // A combination of two tiers has no known price.
        return serviceTier == nil || serviceTier == .standard ? .fast : .other
    }

    /// Whether only the standard prices of a prompt, its cached tokens and a completion apply.
    package var isPlain: Bool { special == nil && tier == .standard }

    var isEmpty: Bool { cacheRead == nil && cacheWritten == nil && serviceTier == nil && !isFast && special == nil }

    /// Model calls of the response, if the upstream bills several; empty otherwise.
    package var iterations: [SpecialUsage.Iteration] { special?.iterations ?? [] }

    /// Returns the response's tokens, grouped by price.
    ///
    /// - Parameter prompt: all tokens of the prompt.
    package func counts(prompt: Int, completion: Int) -> BilledTokens {
        var tokens = special?.tokens ?? BilledTokens()
        (tokens.prompt, tokens.completion) = (prompt, completion)
        (tokens.cached, tokens.written) = (cacheRead ?? 0, cacheWritten ?? 0)
        return tokens
    }

    /// Returns the number of all tokens of a prompt.
    ///
    /// - Parameter apart: whether the count excludes cache tokens, as Anthropic's does.
    func prompt(_ count: Int?, apart: Bool) -> Int? {
        guard apart, let count else { return count }
        // An upstream can report any number.
        return count.addingCapped(cacheRead).addingCapped(cacheWritten)
    }

    /// Replaces the values that a later event of the same response reports.
    mutating func update(with later: UsageDetails) {
        if let read = later.cacheRead { cacheRead = read }
        if let written = later.cacheWritten { cacheWritten = written }
        if let tier = later.serviceTier { serviceTier = tier }
        if later.isFast { isFast = true }
        if let new = later.special { special = special?.updated(with: new) ?? new }
    }

    /// Records the tier that a response names outside its `usage`.
    mutating func note(tier name: UnsafeRawBufferPointer) { note(tier: ServiceTier(name: name)) }

    mutating func note(tier: ServiceTier) { serviceTier = tier }

    // MARK: Reading

    /// Reads a `usage` object.
    ///
    /// - Parameter usage: bytes that begin with the object. Bytes after it are not read.
    init(ofUsage usage: UnsafeRawBufferPointer) {
        var cursor = JSONCursor(usage)
        do throws(JSONError) {
            try cursor.beginObject()
            while let key = try cursor.nextKey() { if try !readMember(key, &cursor) { try cursor.skipValue() } }
        } catch {
            return
        }
    }

    /// Reads the `usage` of a whole document.
    ///
    /// - Parameter document: a JSON document. Reading stops at the first error of its syntax.
    init(in document: UnsafeRawBufferPointer) {
        var cursor = JSONCursor(document)
        do throws(JSONError) {
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                if cursor.equals(key, "usage"), try cursor.kind() == .object {
                    self = UsageDetails(ofUsage: UnsafeRawBufferPointer(rebasing: document[cursor.offset...]))
                }
                try cursor.skipValue()
            }
        } catch {
            return
        }
    }

    /// Reads a member of a `usage`.
    ///
    /// - Returns: false if the member has no price of its own. In that case, its value is not read.
    mutating func readMember(_ key: JSONString, _ cursor: inout JSONCursor) throws(JSONError) -> Bool {
        if cursor.equals(key, "prompt_tokens_details") || cursor.equals(key, "input_tokens_details") {
            guard try cursor.kind() == .object else { return false }
            try readPromptDetails(&cursor)
        } else if cursor.equals(key, "cache_read_input_tokens") || cursor.equals(key, "prompt_cache_hit_tokens") {
            // The second name is DeepSeek's.
            cacheRead = TokenUsage.count(try cursor.integer()) ?? cacheRead
        } else if cursor.equals(key, "cache_creation_input_tokens") {
            cacheWritten = TokenUsage.count(try cursor.integer()) ?? cacheWritten
        } else {
            return try readRareMember(key, &cursor)
        }
        return true
    }

    private mutating func readRareMember(_ key: JSONString, _ cursor: inout JSONCursor) throws(JSONError) -> Bool {
        switch try cursor.kind() {
        case .string where cursor.equals(key, "service_tier"):
            note(tier: cursor.bytes(in: try cursor.string().contents))
        case .string where cursor.equals(key, "speed"):
            let speed = try cursor.string()
            isFast = cursor.equals(speed, "fast")
        case .object where cursor.equals(key, "completion_tokens_details"),
            .object where cursor.equals(key, "output_tokens_details"):
            try readCompletionDetails(&cursor)
        case .object where cursor.equals(key, "cache_creation"):
            try readLongWrites("ephemeral_1h_input_tokens", &cursor)
        case .array where cursor.equals(key, "iterations"):
            let iterations = try SpecialUsage.readIterations(&cursor)
            if !iterations.isEmpty { special = SpecialUsage(special?.tokens ?? BilledTokens(), iterations) }
        default: return false
        }
        return true
    }

    private mutating func readPromptDetails(_ cursor: inout JSONCursor) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "cached_tokens") {
                cacheRead = TokenUsage.count(try cursor.integer()) ?? cacheRead
            } else if cursor.equals(key, "cache_write_tokens") {
                cacheWritten = TokenUsage.count(try cursor.integer()) ?? cacheWritten
            } else if cursor.equals(key, "audio_tokens") {
                let count = try cursor.integer()
                change(count) { $0.audioInput = $1 }
            } else if cursor.equals(key, "image_tokens") {
                let count = try cursor.integer()
                change(count) { $0.imageInput = $1 }
            } else if cursor.equals(key, "cache_write_tokens_details"), try cursor.kind() == .object {
                try readLongWrites("ttl_12h_tokens", &cursor)
            } else {
                try cursor.skipValue()
            }
        }
    }

    private mutating func readCompletionDetails(_ cursor: inout JSONCursor) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "audio_tokens") {
                let count = try cursor.integer()
                change(count) { $0.audioOutput = $1 }
            } else if cursor.equals(key, "image_tokens") {
                let count = try cursor.integer()
                change(count) { $0.imageOutput = $1 }
            } else {
                try cursor.skipValue()
            }
        }
    }

    private mutating func readLongWrites(_ name: StaticString, _ cursor: inout JSONCursor) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, name) {
                let count = try cursor.integer()
                change(count) { $0.longWritten = $1 }
            } else {
                try cursor.skipValue()
            }
        }
    }

    /// Records a count if it is positive; most upstreams report zero.
    private mutating func change(_ count: Int?, _ body: (inout BilledTokens, Int) -> Void) {
        guard let count = TokenUsage.count(count), count > 0 else { return }
        var tokens = special?.tokens ?? BilledTokens()
        body(&tokens, count)
        special = SpecialUsage(tokens, special?.iterations ?? [])
    }
}
