import HeadgateOpenAPI

/// The app's view of the server. It exposes no generated type, and tests can pass any double of the API.
nonisolated struct GreetingClient {
    private let api: any APIProtocol

    init(_ api: any APIProtocol) { self.api = api }

    func greeting(for name: String) async throws -> String {
        try await api.welcomeMessage(query: .init(name: name)).ok.body.json.message
    }
}
