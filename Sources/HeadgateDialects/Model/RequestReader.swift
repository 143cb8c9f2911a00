/// Reads the requests of one format.
protocol RequestReader {
    /// - Parameter losses: what the neutral form cannot hold is dropped there, by its name.
    static func read(_ body: JSONObject, _ losses: inout Losses) throws(TranslationError) -> ModelRequest
}

/// Writes requests in one format.
protocol RequestWriter {
    /// - Parameter losses: what the format cannot express is dropped there.
    static func write(
        _ request: ModelRequest, for target: TargetTraits, _ losses: inout Losses
    ) throws(TranslationError) -> WrittenRequest
}

struct WrittenRequest: Equatable {
    var body: JSONObject
    /// The client's names of tools, by the names that the upstream is told, where they differ.
    var toolNames: [String: String] = [:]
}
