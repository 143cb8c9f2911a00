/// Facts about the upstream of a request that decide how it is written.
package struct TargetTraits: Equatable, Sendable {
    /// Name of the model at the upstream; nil if it is the client's name.
    package var model: String?
    /// Token limit for formats that require one if the client sets none.
    package var usualMaximumTokens = 8192
    /// Whether the upstream is OpenAI's API itself, or Azure's copy of it. Others with the same API use `max_tokens`
    /// instead of `max_completion_tokens`, parse the arguments of earlier calls, and accept one system message.
    package var isOpenAIsOwn = false
    /// Identifier of the upstream, by which its own seals are recognized; letters and digits.
    package var provider = ""
    private var writtenJoining: Bool?

    /// Whether all instructions are joined into one system message at the start. Many chat templates reject any other.
    package var joinsSystemMessages: Bool {
        get { writtenJoining ?? !isOpenAIsOwn }
        set { writtenJoining = newValue }
    }

    package init(model: String? = nil) { self.model = model }
}
