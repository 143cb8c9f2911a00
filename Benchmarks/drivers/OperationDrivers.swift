internal import HeadgateLibC
internal import HeadgateOpenAPI
internal import HeadgateServerTransport

/// Driver of an operation with generated code, on the server of its users.
enum OperationDrivers {
    static let all = [
        Driver(name: "operation", unit: "request", result: body.count) { iterations in
            var options = LibeventServer.Options()
            options.loops = 1
            let server = LibeventServer(options)
            let port = try start(server, port: 0)
            let client = try BlockingSocket.connect(port: port)
            let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
            return try repeating(iterations) {
                try client.send(request)
                try client.receive(upTo: body)
                return body.count
            }
        }
    ]

    private static let path = "/api/v1/welcome_message?name=Ada"
    private static let body = Array(#"{"message":"Hello, Ada!"}"#.utf8)

    /// Serves until the process is ended by an external measurement.
    static func serve(port: UInt16) throws -> Never {
        let server = LibeventServer()
        _ = try start(server, port: port)
        // Its loops retain it.
        while true { pause() }
    }

    /// - Returns: the port of the listener.
    private static func start(_ server: LibeventServer, port: UInt16) throws -> UInt16 {
        try GreetingService().registerHandlers(on: server, serverURL: try Servers.Server1.url())
        guard case .tcp(_, let port)? = try server.start(on: .tcp(ip: "127.0.0.1", port: port)).first else {
            throw DriverError("the server listens on no port")
        }
        return port
    }
}

private struct GreetingService: APIProtocol {
    func welcomeMessage(_ input: Operations.WelcomeMessage.Input) async throws -> Operations.WelcomeMessage.Output {
        .ok(.init(body: .json(.init(message: "Hello, \(input.query.name)!"))))
    }
}
