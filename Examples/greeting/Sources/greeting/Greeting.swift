import HeadgateClient
import HeadgateClientURLSession
import HeadgateOpenAPI
import HeadgateServerTransport

/// `greeting` shows a server and its client in one process; `greeting serve PORT` only serves.
@main
struct Greeting {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "serve", let port = arguments.last.flatMap({ UInt16($0) }) {
            let server = LibeventServer()
            try GreetingService().registerHandlers(on: server, serverURL: try Servers.Server1.url())
            return try await server.run(on: .tcp(ip: "127.0.0.1", port: port))
        }
        try await show()
    }

    private static func show() async throws {
        let (callers, steps) = (Journal(), Journal())
        let server = LibeventServer()
        // The server uses the path of the document's server URL, so its route is /api/v1/welcome_message.
        let documented = try Servers.Server1.url()
        try GreetingService().registerHandlers(
            on: server, serverURL: documented, middlewares: [CallerMiddleware(journal: callers)])
        guard case .tcp(let ip, let port)? = try server.start(on: .tcp(ip: "127.0.0.1", port: 0)).first else { return }

        let here = BaseURL(endpoint: .tcp(host: ip, port: port), pathPrefix: documented.pathPrefix)
        // The outermost middleware is first, and the transport is last.
        let chain: [any ClientMiddleware] = [
            StepMiddleware(name: "outer", journal: steps),
            AnotherTryMiddleware(tries: 20, journal: steps),
            HeaderInjection(AppHeaders(clientID: "greeting-example")),
            FaultInjectionMiddleware(.status(503), percent: 40, seed: 7),
            StepMiddleware(name: "inner", journal: steps),
        ]
        let client = GreetingClient(Client(serverURL: here, transport: URLSessionTransport(), middlewares: chain))

        print(try await client.greeting(for: "Ada & Grace"))
        var again = 0
        for number in 1...30 {
            let greeting = try await client.greeting(for: "\(number)")
            guard greeting == "Hello, \(number)!" else { return print("not what was asked for: \(greeting)") }
            let noted = await steps.take()
            again += noted.filter { $0 == "again" }.count
            if number == 30 { print(noted.filter { $0 != "again" }.joined(separator: " ")) }
        }
        print("30 of 30 greetings, \(again) failures retried")
        print(Set(await callers.take()).sorted().joined(separator: "; "))
        await server.shutDown()
    }
}
