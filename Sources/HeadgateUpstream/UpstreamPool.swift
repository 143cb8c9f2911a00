internal import HeadgateEventLoop
internal import HeadgateHTTP
internal import HeadgateNetwork

/// The connections of one loop to one upstream. The youngest is used first, so that the others can age out.
final class UpstreamPool {
    let loop: EventLoop
    let timeouts: TransferTimeouts
    /// Nanoseconds, as timers want them.
    let firstByteTimeout: UInt64
    let silenceTimeout: UInt64
    let idleTimeout: UInt64
    /// Where the chunks of one read are put together. Borrowed during one callback.
    var gathered: [UInt8] = []
    private var idle: [UpstreamConnection] = []
    private var busy: [ObjectIdentifier: UpstreamConnection] = [:]
    private static let maximumIdle = 1024

    init(loop: EventLoop, timeouts: TransferTimeouts) {
        self.loop = loop
        self.timeouts = timeouts
        firstByteTimeout = timeouts.firstByte.clampedNanoseconds
        silenceTimeout = timeouts.silence.clampedNanoseconds
        idleTimeout = timeouts.idle.clampedNanoseconds
    }

    /// A connection at rest, if there is one.
    func takeIdle() -> UpstreamConnection? {
        guard let connection = idle.popLast() else { return nil }
        busy[ObjectIdentifier(connection)] = connection
        return connection
    }

    /// Opens a connection.
    ///
    /// - Parameter completion: may be called before this returns.
    /// - Returns: what cancels the attempt.
    func connect(
        to endpoint: BaseURL.Endpoint, completion: @escaping (Result<UpstreamConnection, TransportError>) -> Void
    ) -> Connector? {
        let target: Connector.Target
        switch endpoint {
        case .tcp(let host, let port): target = .tcp(ip: host == "localhost" ? "127.0.0.1" : host, port: port)
        case .unix(let path): target = .unix(path: path)
        case .tls:
            completion(.failure(TransportError(.tls, "https upstreams need TLS, which this version does not have")))
            return nil
        }
        let connector = Connector(loop: loop)
        connector.connect(to: target, timeout: timeouts.connect) { [unowned self] result in
            switch result {
            case .success(let descriptor):
                let connection = UpstreamConnection(descriptor: descriptor, pool: self)
                busy[ObjectIdentifier(connection)] = connection
                completion(.success(connection))
            case .failure(.timedOut): completion(.failure(TransportError(.connectTimeout)))
            case .failure(.refused(let error)):
                completion(.failure(TransportError(.connect, systemErrorText(error))))
            }
        }
        return connector
    }

    /// Takes back a connection whose exchange is complete.
    func giveBack(_ connection: UpstreamConnection) {
        busy[ObjectIdentifier(connection)] = nil
        guard idle.count < UpstreamPool.maximumIdle else { return connection.close() }
        idle.append(connection)
        connection.rest()
    }

    /// Forgets a connection that has been closed.
    func remove(_ connection: UpstreamConnection) {
        if busy.removeValue(forKey: ObjectIdentifier(connection)) == nil {
            idle.removeAll { $0 === connection }
        }
    }
}
