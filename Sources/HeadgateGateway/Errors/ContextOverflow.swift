internal import JSONBytes

/// The error of llama.cpp for a prompt that is longer than its context.
struct ContextOverflow {
    /// Its `type`.
    static let type = "exceed_context_size_error"

    private(set) var promptTokens: Int?
    private(set) var context: Int?

    /// Reads the members of the error in a body.
    init(_ document: UnsafeRawBufferPointer) {
        var cursor = JSONCursor(document)
        try? read(&cursor)
    }

    private mutating func read(_ cursor: inout JSONCursor) throws(JSONError) {
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            let isError = cursor.equals(key, "error")
            guard isError, case .object = try cursor.kind() else {
                try cursor.skipValue()
                continue
            }
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                if cursor.equals(key, "n_prompt_tokens") {
                    promptTokens = try cursor.integer()
                } else if cursor.equals(key, "n_ctx") {
                    context = try cursor.integer()
                } else {
                    try cursor.skipValue()
                }
            }
        }
    }
}

extension GatewayError {
    /// A 400, whether the gateway or the server found it: the caller can shorten the prompt.
    static func promptTooLong(tokens: Int? = nil, context: Int?) -> GatewayError {
        let size = context.map { ", which holds \($0) tokens, the answer included" } ?? ""
        let length = tokens.map { " (\($0) tokens)" } ?? ""
        return .invalidRequest(
            400,
            "The prompt\(length) is longer than the model's context\(size). Shorten it, or name a model with a larger "
                + "context.",
            code: "context_length_exceeded", cause: .contextOverflow)
    }
}
