/// What requests have in common that go to the same target while it is healthy.
package enum Affinity: Sendable, Hashable {
    case none
    /// The model, the system message and the first user message.
    case conversation
    /// The request's `user`.
    case user
    /// The request's `prompt_cache_key`.
    case promptCacheKey
    /// The value of a header field; its name in lower case.
    case header(String)
}
