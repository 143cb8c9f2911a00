/// Reads the whole responses of one format.
protocol ResponseReader {
    static func read(_ document: JSONObject) throws(ResponseFault) -> ModelResponse
}

/// Writes whole responses in one format.
protocol ResponseWriter {
    static func write(_ response: ModelResponse, _ context: ResponseContext) -> JSONObject
}

/// Why a response cannot be translated.
package enum ResponseFault: Error, Equatable, Sendable {
    /// It reports an error in place of a response.
    case error
    /// It is no response of the upstream's format.
    case unexpected
    /// It needs to be held back for longer than the cap allows.
    case oversize
}
