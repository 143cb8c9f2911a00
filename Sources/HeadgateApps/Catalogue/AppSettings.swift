/// The gateway, key and model that an app is set up to use.
package struct AppSettings: Sendable {
    /// The place where a user finds the gateway's key.
    package enum KeySource: Sendable, Equatable {
        /// The gateway accepts any key.
        case notNeeded
        /// A file, and the command that prints the key in it.
        case file(String, command: String)
        /// The variable `HEADGATE_KEY`.
        case variable
        /// The gateway knows only the digests of its keys.
        case unknown
    }

    /// The URL of the gateway, such as `http://127.0.0.1:8686`: without `/v1`, and without a slash at its end.
    package let url: String
    package let isLoopback: Bool
    package let model: String
    /// The number of tokens that the model's prompt and completion may have together; nil if it is not known.
    package let context: Int?
    package let keySource: KeySource
    /// The key as it is written into a file. It is the key itself, any word if no key is needed, or a placeholder that
    /// the user replaces.
    package let key: String

    package init(
        url: String, isLoopback: Bool, model: String, context: Int? = nil, keySource: KeySource, key: String
    ) {
        (self.url, self.isLoopback, self.model, self.context) = (url, isLoopback, model, context)
        (self.keySource, self.key) = (keySource, key)
    }

    /// The base URL of the OpenAI routes.
    var api: String { url + "/v1" }

    /// The context size for apps that require one: that of most current models if it is not known.
    var contextOrUsual: Int { context ?? 128_000 }

    /// The part of the context that is reserved for a completion.
    var output: Int { min(16_000, contextOrUsual / 4) }

    var needsKey: Bool { keySource != .notNeeded }

    /// Returns the shell command that sets a variable to the key.
    func export(_ variable: String) -> String {
        let value =
            switch keySource {
            case .notNeeded: key
            case .file(_, let command): "\"$(\(command))\""
            case .variable: "\"$HEADGATE_KEY\""
            case .unknown: "YOUR_GATEWAY_KEY"
            }
        return "export \(variable)=\(value)"
    }

    /// The description of the key for users who type it into a form.
    var keyForForms: String {
        switch keySource {
        case .notNeeded: "\(key) (the gateway takes any word)"
        case .file(_, let command): "the output of: \(command)"
        case .variable: "the value of HEADGATE_KEY"
        case .unknown: "one of your gateway keys"
        }
    }
}
