/// Facts about the upstream of a request that decide how it is written.
package struct TargetTraits: Equatable, Sendable {
    /// The upstream's name for the model; nil if it is the client's.
    package var model: String?
    /// Written where the client sets no limit and the format demands one.
    package var usualMaximumTokens = 8192
    /// Whether it is OpenAI's API itself, or Azure's copy of it. Others with the same API know `max_tokens` instead of
    /// `max_completion_tokens`, parse the arguments of earlier calls, and take one system message.
    package var isOpenAIsOwn = false
    /// Identifies the upstream, to recognise what it made; letters and digits.
    package var provider = ""
    private var writtenJoining: Bool?

    /// Whether all instructions become one system message, the first: many chat templates refuse any other.
    package var joinsSystemMessages: Bool {
        get { writtenJoining ?? !isOpenAIsOwn }
        set { writtenJoining = newValue }
    }

    package init(model: String? = nil) { self.model = model }
}
