internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Models of a server.
public struct ModelOperations: Sendable {
    let api: any APIProtocol

    /// The models that this key may use, in the server's order.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func list() async throws -> [ModelDescription] {
        let list: ModelList = try await sendForValue { try await api.listModels(.init()).encoded() }
        return list.data
    }

    /// One model.
    ///
    /// - Throws: ``HeadgateClientError/status(_:)`` with 404 for a model that is not offered.
    public func retrieve(_ id: String) async throws -> ModelDescription {
        try await sendForValue { try await api.retrieveModel(.init(path: .init(model: id))).encoded() }
    }
}
