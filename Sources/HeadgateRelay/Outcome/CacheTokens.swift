internal import HeadgateDialects
internal import JSONBytes

/// Prompt tokens of a response that were read from or written to the upstream's cache.
package struct CacheTokens: Sendable, Equatable {
    /// Tokens read from the cache.
    package var read: Int?
    /// Tokens written to the cache.
    package var written: Int?

    init(read: Int? = nil, written: Int? = nil) {
        self.read = read
        self.written = written
    }

    /// Returns all tokens of a prompt.
    ///
    /// - Parameter apart: whether the count excludes cache tokens, as Anthropic's does.
    func prompt(_ count: Int?, apart: Bool) -> Int? {
        guard apart, let count else { return count }
        // An upstream can report any number.
        return count.addingCapped(read).addingCapped(written)
    }

    /// Reads the `usage` of a whole response, or of an event, in the form of any API.
    ///
    /// - Parameter document: valid JSON; nothing is read otherwise.
    init(in document: UnsafeRawBufferPointer) {
        var cursor = JSONCursor(document)
        do throws(JSONError) {
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                if cursor.equals(key, "usage"), try cursor.kind() == .object {
                    try readUsage(&cursor)
                } else {
                    try cursor.skipValue()
                }
            }
        } catch {
            return
        }
    }

    /// Reads a `usage` itself.
    ///
    /// - Parameter usage: bytes that begin with it; nothing behind it is read.
    init(ofUsage usage: UnsafeRawBufferPointer) {
        var cursor = JSONCursor(usage)
        do throws(JSONError) { try readUsage(&cursor) } catch { return }
    }

    private mutating func readUsage(_ cursor: inout JSONCursor) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() { if try !readMember(key, &cursor) { try cursor.skipValue() } }
    }

    /// Reads a member of a `usage`.
    ///
    /// - Returns: false if the member does not concern a cache; nothing is read then.
    mutating func readMember(_ key: JSONString, _ cursor: inout JSONCursor) throws(JSONError) -> Bool {
        if cursor.equals(key, "prompt_tokens_details") || cursor.equals(key, "input_tokens_details") {
            guard try cursor.kind() == .object else { return false }
            try readDetails(&cursor)
        } else if cursor.equals(key, "cache_read_input_tokens") || cursor.equals(key, "prompt_cache_hit_tokens") {
            // The second name is DeepSeek's.
            read = TokenUsage.count(try cursor.integer()) ?? read
        } else if cursor.equals(key, "cache_creation_input_tokens") {
            written = TokenUsage.count(try cursor.integer()) ?? written
        } else {
            return false
        }
        return true
    }

    private mutating func readDetails(_ cursor: inout JSONCursor) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            if cursor.equals(key, "cached_tokens") {
                read = TokenUsage.count(try cursor.integer()) ?? read
            } else if cursor.equals(key, "cache_write_tokens") {
                written = TokenUsage.count(try cursor.integer()) ?? written
            } else {
                try cursor.skipValue()
            }
        }
    }
}
