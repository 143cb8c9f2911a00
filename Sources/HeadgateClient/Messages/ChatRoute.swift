/// The route of a server by which a chat goes. A gateway does not translate between them: which one responds depends on
/// the model.
public enum ChatRoute: Hashable, Sendable {
    /// `POST /chat/completions`, in OpenAI's form.
    case chatCompletions
    /// `POST /messages`, in Anthropic's form. It knows no seed, and gives one choice.
    case messages
}
