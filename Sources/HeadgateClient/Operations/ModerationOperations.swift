internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Moderation of texts.
public struct ModerationOperations: Sendable {
    let api: any APIProtocol

    /// Moderates texts with a model.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func create(model: String, texts: [String]) async throws -> Moderation {
        let members: [String: JSONValue] = ["model": .string(model), "input": .array(texts.map(JSONValue.string))]
        let body = HTTPBody.bytes(try JSONCoding.encode(members))
        return try await sendForValue { try await api.createModeration(.init(body: .json(body))).encoded() }
    }
}
