/// The route of a server by which a chat goes. Requests and answers are the same types on each of them.
///
/// Headgate answers for every model on every route, translated where the upstream speaks otherwise; the model's own
/// (``ModelDescription/chatRoute``) loses nothing.
public enum ChatRoute: Hashable, Sendable {
    /// `POST /chat/completions`, in OpenAI's form.
    case chatCompletions
    /// `POST /messages`, in Anthropic's form. It knows no seed, and gives one choice.
    case messages
    /// `POST /responses`, in OpenAI's newer form. It knows neither seed nor stop sequences, and gives one choice. The
    /// server is asked to keep nothing, unless ``ChatOptions/additional`` has `store`.
    case responses
}
