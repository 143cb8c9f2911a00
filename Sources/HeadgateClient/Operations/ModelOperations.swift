internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Models of a server.
public struct ModelOperations: Sendable {
    let api: any APIProtocol

    /// Returns the models that the key can use, in the server's order.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func list() async throws -> [ModelDescription] {
        let list: ModelList = try await sendForValue { try await api.listModels(.init()).encoded() }
        return list.data
    }

    /// Returns one model.
    ///
    /// - Throws: ``HeadgateClientError/status(_:)`` with 404 if the server does not offer the model.
    public func retrieve(_ id: String) async throws -> ModelDescription {
        try await sendForValue { try await api.retrieveModel(.init(path: .init(model: id))).encoded() }
    }
}
