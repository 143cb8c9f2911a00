package import HeadgateEventLoop
package import HeadgateNetwork

/// An HTTP/1.1 client that returns exactly the data that arrived. Every call opens a new connection.
package struct TestClient: Sendable {
    /// The timeout of every wait that has no timeout of its own.
    package var timeout: Duration
    private let group: EventLoopGroup
    private let ip: String
    private let unixPath: String?
    private let tls: TLSContext?

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - ip: The IP address to which calls connect.
    ///   - unixPath: A Unix socket to connect to, regardless of the port of a call.
    ///   - tls: The TLS context for a server with a certificate for `localhost`.
    package init(
        group: EventLoopGroup, timeout: Duration = .seconds(300), ip: String = "127.0.0.1", unixPath: String? = nil,
        tls: TLSContext? = nil
    ) {
        self.ip = ip
        self.group = group
        self.timeout = timeout
        self.unixPath = unixPath
        self.tls = tls
    }

    /// Performs a whole exchange. `Host`, `Content-Length` and the like are added unless they are in `headers`.
    ///
    /// - Throws: ``TestFailure``.
    package func request(
        _ method: String, _ path: String, headers: HeaderLines = [:], body: [UInt8]? = nil, port: UInt16 = 0
    ) async throws -> TestResponse {
        let stream = try await open(method, path, headers: headers, body: body, port: port)
        defer { stream.close() }
        return TestResponse(status: stream.status, headers: stream.headers, body: try await stream.readAll())
    }

    /// Performs a whole exchange with a JSON body.
    package func post(
        _ path: String, headers: HeaderLines = [:], json: String, port: UInt16 = 0
    ) async throws -> TestResponse {
        try await request("POST", path, headers: headers.addingJSON(), body: Array(json.utf8), port: port)
    }

    /// Sends a request and returns after the response's head has arrived.
    ///
    /// - Throws: ``TestFailure``.
    package func open(
        _ method: String, _ path: String, headers: HeaderLines = [:], body: [UInt8]? = nil, port: UInt16 = 0
    ) async throws -> TestStream {
        try await connect(port: port).open(method, path, headers: headers, body: body)
    }

    /// Sends a JSON body and returns after the response's head has arrived.
    package func openPost(
        _ path: String, headers: HeaderLines = [:], json: String, port: UInt16 = 0
    ) async throws -> TestStream {
        try await open("POST", path, headers: headers.addingJSON(), body: Array(json.utf8), port: port)
    }

    /// Returns a connection on which the bytes have been sent without changes.
    package func raw(port: UInt16 = 0, bytes: [UInt8]) async throws -> TestConnection {
        let connection = try await connect(port: port)
        connection.send(bytes)
        return connection
    }

    package func raw(port: UInt16 = 0, _ text: String) async throws -> TestConnection {
        try await raw(port: port, bytes: Array(text.utf8))
    }

    /// Returns a connection on which nothing has been sent yet.
    package func connect(port: UInt16 = 0) async throws -> TestConnection {
        let loop = group.leastLoaded
        let target = unixPath.map { Connector.Target.unix(path: $0) } ?? .tcp(ip: ip, port: port)
        return try await TestConnection.connect(to: target, tls: tls, on: loop, timeout: timeout)
    }
}

/// A response and its whole body.
package struct TestResponse: Sendable {
    package let status: Int
    package let headers: HeaderLines
    package let body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }
}

extension HeaderLines {
    fileprivate func addingJSON() -> HeaderLines {
        guard !contains("Content-Type") else { return self }
        var headers = self
        headers.append("Content-Type", "application/json")
        return headers
    }
}
