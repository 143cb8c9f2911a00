/// Words of the Responses format that its readers and writers share.
enum ResponsesItem {
    /// Between parts of a text that was one.
    static let paragraph = "\n\n"
    /// The parameter of a function that stands for a tool which takes free text.
    static let freeText = "input"
    // Why a response is incomplete.
    static let outOfTokens = "max_output_tokens"
    static let filtered = "content_filter"
}
