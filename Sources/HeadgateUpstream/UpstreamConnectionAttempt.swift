internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateLibC
internal import HeadgateNetwork

/// Opens a connection, with TLS for `https`, before a deadline. Loop-confined. Completes once, unless it is cancelled.
final class UpstreamConnectionAttempt {
    private let endpoint: BaseURL.Endpoint
    private let access: UpstreamAccess
    private let resolver: NameResolver
    private let pool: UpstreamPool
    private var completion: ((Result<UpstreamConnection, TransportError>) -> Void)?
    private var connector: Connector?
    private var connection: UpstreamConnection?
    private var deadline: UInt64 = 0
    private var hasFreedDescriptors = false

    init(
        to endpoint: BaseURL.Endpoint, access: UpstreamAccess, resolver: NameResolver, pool: UpstreamPool,
        completion: @escaping (Result<UpstreamConnection, TransportError>) -> Void
    ) {
        self.endpoint = endpoint
        self.access = access
        self.resolver = resolver
        self.pool = pool
        self.completion = completion
    }

    func start(timeout: Duration) {
        deadline = pool.loop.now + timeout.clampedNanoseconds
        connect(timeout: timeout)
    }

    /// Cancels the operation. The completion is not called.
    func cancel() {
        completion = nil
        connector?.cancel()
        connector = nil
        connection?.close()
        connection = nil
    }

    private func connect(timeout: Duration) {
        let target: Connector.Target
        switch endpoint {
        case .tcp(let host, let port), .tls(let host, let port): target = .host(host, port: port)
        case .unix(let path): target = .unix(path: path)
        }
        let connector = Connector(
            loop: pool.loop, resolver: resolver,
            policy: AddressPolicy(allowsPrivate: access.allowsPrivateAddresses), proxy: access.proxy)
        self.connector = connector
        connector.connect(to: target, timeout: timeout) { [unowned self] result in
            self.connector = nil
            switch result {
            case .success(let descriptor): connected(descriptor)
            case .failure(let failure): failed(failure)
            }
        }
    }

    private func failed(_ failure: Connector.Failure) {
        let now = pool.loop.now
        if case .refused(EMFILE) = failure, !hasFreedDescriptors, now < deadline {
            hasFreedDescriptors = true
            pool.closeIdleEverywhere()
            return connect(timeout: .nanoseconds(Int64(clamping: deadline - now)))
        }
        finish(.failure(failure.transportError(at: endpoint)))
    }

    private func connected(_ descriptor: Int32) {
        guard case .tls(let host, let port) = endpoint else {
            let connection = UpstreamConnection(descriptor: descriptor, tls: nil, pool: pool)
            return finish(.success(connection))
        }
        let session: TLSSession
        do {
            guard let context = access.tls else { throw TLSError(.configuration, "no TLS is set up for this upstream") }
            session = try TLSSession(
                context: context, descriptor: descriptor, role: .client(hostName: host, port: port))
        } catch {
            close(descriptor)
            return finish(.failure(TransportError(.tls, "\(error)")))
        }
        let connection = UpstreamConnection(descriptor: descriptor, tls: session, pool: pool)
        self.connection = connection
        connection.secure(before: deadline) { [unowned self] failure in
            guard let failure else { return finish(.success(connection)) }
            self.connection = nil
            finish(.failure(failure))
        }
    }

    private func finish(_ result: Result<UpstreamConnection, TransportError>) {
        let completion = completion
        self.completion = nil
        connection = nil
        completion?(result)
    }
}

extension BaseURL.Endpoint {
    /// Address of the endpoint, for the log.
    fileprivate var place: String {
        switch self {
        case .tcp(let host, let port), .tls(let host, let port):
            host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }
}

extension Connector.Failure {
    fileprivate func transportError(at endpoint: BaseURL.Endpoint) -> TransportError {
        let detail = "\(endpoint.place): \(self)"
        if case .timedOut = self { return TransportError(.connectTimeout, detail) }
        return TransportError(isUnreachable ? .unreachable : .connect, detail)
    }
}
