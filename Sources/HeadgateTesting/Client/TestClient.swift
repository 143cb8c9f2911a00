package import HeadgateEventLoop
package import HeadgateNetwork

/// An HTTP/1.1 client that shows what came over the wire. Every call opens a new connection.
package struct TestClient: Sendable {
    /// For every wait that does not name another.
    package var timeout: Duration
    private let group: EventLoopGroup
    private let ip: String
    private let unixPath: String?
    private let tls: TLSContext?

    /// - Parameters:
    ///   - ip: where the ports are that calls name.
    ///   - unixPath: connects there, whatever port a call names.
    ///   - tls: speaks TLS, to a server with a certificate for `localhost`.
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

    /// A whole exchange. `Host`, `Content-Length` and the like are added unless `headers` brings them.
    ///
    /// - Throws: ``TestFailure``.
    package func request(
        _ method: String, _ path: String, headers: HeaderLines = [:], body: [UInt8]? = nil, port: UInt16 = 0
    ) async throws -> TestResponse {
        let stream = try await open(method, path, headers: headers, body: body, port: port)
        defer { stream.close() }
        return TestResponse(status: stream.status, headers: stream.headers, body: try await stream.readAll())
    }

    /// A whole exchange with a JSON body.
    package func post(
        _ path: String, headers: HeaderLines = [:], json: String, port: UInt16 = 0
    ) async throws -> TestResponse {
        try await request("POST", path, headers: headers.addingJSON(), body: Array(json.utf8), port: port)
    }

    /// Sends a request and returns once the response's head has come.
    ///
    /// - Throws: ``TestFailure``.
    package func open(
        _ method: String, _ path: String, headers: HeaderLines = [:], body: [UInt8]? = nil, port: UInt16 = 0
    ) async throws -> TestStream {
        try await connect(port: port).open(method, path, headers: headers, body: body)
    }

    /// Sends a JSON body and returns once the response's head has come.
    package func openPost(
        _ path: String, headers: HeaderLines = [:], json: String, port: UInt16 = 0
    ) async throws -> TestStream {
        try await open("POST", path, headers: headers.addingJSON(), body: Array(json.utf8), port: port)
    }

    /// A connection on which bytes have been sent as they are.
    package func raw(port: UInt16 = 0, bytes: [UInt8]) async throws -> TestConnection {
        let connection = try await connect(port: port)
        connection.send(bytes)
        return connection
    }

    package func raw(port: UInt16 = 0, _ text: String) async throws -> TestConnection {
        try await raw(port: port, bytes: Array(text.utf8))
    }

    /// A connection on which nothing has been sent yet.
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
