/// The gateway, key and model that an app is pointed at.
package struct AppSettings: Sendable {
    /// Source of the gateway's key for a user.
    package enum KeySource: Sendable, Equatable {
        /// The gateway takes any word.
        case notNeeded
        /// A file, and the command that prints the key.
        case file(String, command: String)
        /// The variable `HEADGATE_KEY`.
        case variable
        /// The gateway knows only the digests of its keys.
        case unknown
    }

    /// Such as `http://127.0.0.1:8686`: without `/v1`, and without a slash at its end.
    package let url: String
    package let isLoopback: Bool
    package let model: String
    /// Tokens that the model's prompt and completion have room for; nil if that is not known.
    package let context: Int?
    package let keySource: KeySource
    /// The key as it is written into a file: the key, a word that is not one, or a placeholder to replace.
    package let key: String

    package init(
        url: String, isLoopback: Bool, model: String, context: Int? = nil, keySource: KeySource, key: String
    ) {
        (self.url, self.isLoopback, self.model, self.context) = (url, isLoopback, model, context)
        (self.keySource, self.key) = (keySource, key)
    }

    /// The base URL of the OpenAI routes.
    var api: String { url + "/v1" }

    /// Context size for apps that demand one: that of most current models if it is not known.
    var contextOrUsual: Int { context ?? 128_000 }

    /// The part of the context that is left for a completion.
    var output: Int { min(16_000, contextOrUsual / 4) }

    var needsKey: Bool { keySource != .notNeeded }

    /// The line for a shell that sets a variable to the key.
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

    /// The key for people who type it into a form.
    var keyForForms: String {
        switch keySource {
        case .notNeeded: "\(key) (the gateway takes any word)"
        case .file(_, let command): "the output of: \(command)"
        case .variable: "the value of HEADGATE_KEY"
        case .unknown: "one of your gateway keys"
        }
    }
}
