import HeadgateOpenAPI

/// What the rest of an app sees of the server: no generated type, and in tests any double of it.
nonisolated struct GreetingClient {
    private let api: any APIProtocol

    init(_ api: any APIProtocol) { self.api = api }

    func greeting(for name: String) async throws -> String {
        try await api.welcomeMessage(query: .init(name: name)).ok.body.json.message
    }
}
