internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Embeddings of texts.
public struct EmbeddingOperations: Sendable {
    let api: any APIProtocol

    /// Returns one vector for each text.
    ///
    /// Some models support a choice of `dimensions`.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func create(model: String, texts: [String], dimensions: Int? = nil) async throws -> Embeddings {
        var members: [String: JSONValue] = [
            "model": .string(model), "input": .array(texts.map(JSONValue.string)), "encoding_format": "float",
        ]
        members["dimensions"] = dimensions.map(JSONValue.integer)
        let body = HTTPBody.bytes(try JSONCoding.encode(JSONValue.object(members)))
        return try await sendForValue { try await api.createEmbedding(.init(body: .json(body))).encoded() }
    }
}
