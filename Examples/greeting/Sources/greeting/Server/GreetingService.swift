import HeadgateOpenAPI

/// The server's implementation. It belongs to no actor: each request runs on the loop of its connection.
nonisolated struct GreetingService: APIProtocol {
    func welcomeMessage(_ input: Operations.WelcomeMessage.Input) async throws -> Operations.WelcomeMessage.Output {
        .ok(.init(body: .json(.init(message: "Hello, \(input.query.name)!"))))
    }
}
