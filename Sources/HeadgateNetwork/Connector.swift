internal import CHeadgate
package import HeadgateEventLoop
internal import HeadgateLibC

/// One attempt to reach a target. It looks up the name, checks and tries the addresses, and opens the proxy's tunnel,
/// all before one deadline. Loop-confined. Completes exactly once, unless it is cancelled.
package final class Connector {
    package enum Target: Hashable, Sendable {
        /// A host name or IP address as configured, without brackets. Its addresses are subject to the policy.
        case host(String, port: UInt16)
        /// A literal IP address that is not subject to the policy.
        case tcp(ip: String, port: UInt16)
        case unix(path: String)
    }

    private let loop: EventLoop
    private let resolver: NameResolver?
    private let policy: AddressPolicy
    private let proxy: Proxy?
    private var stage = Stage.idle
    private var timer: LoopTimer?
    private var completion: ((Result<Int32, Failure>) -> Void)?

    /// Operation in progress, to cancel at the end.
    private enum Stage {
        case idle
        case resolving(PendingName?, host: String)
        case connecting(AddressRace, host: String)
        case connectingLocally(LocalConnect, path: String)
        case tunnelling(ProxyTunnel, proxy: String)
    }

    /// Creates a connector for targets without names.
    package init(loop: EventLoop) {
        self.loop = loop
        resolver = nil
        policy = AddressPolicy(allowsPrivate: false)
        proxy = nil
    }

    /// - Parameter proxy: the proxy for every connection to a ``Target/host(_:port:)``, which then looks up the name.
    package init(loop: EventLoop, resolver: NameResolver, policy: AddressPolicy, proxy: Proxy? = nil) {
        self.loop = loop
        self.resolver = resolver
        self.policy = policy
        self.proxy = proxy
    }

    deinit { end() }

    /// Connects to a target. Can be called only once.
    ///
    /// - Parameters:
    ///   - timeout: time limit for all stages together.
    ///   - completion: called with the connected descriptor, which it then owns; perhaps before this returns.
    package func connect(
        to target: Target, timeout: Duration, completion: @escaping (Result<Int32, Failure>) -> Void
    ) {
        self.completion = completion
        let timer = LoopTimer(loop: loop) { [unowned self] in finish(.failure(.timedOut(activity))) }
        self.timer = timer
        timer.schedule(after: timeout)
        switch target {
        case .host(let host, let port): reach(host, port)
        case .tcp(let ip, let port):
            guard let address = IPAddress(ip) else { return finish(.failure(.refused(EINVAL))) }
            race([address], port, host: ip) { [unowned self] in finish(.success($0)) }
        case .unix(let path):
            let attempt = LocalConnect(loop: loop, path: path) { [unowned self] in finish($0) }
            stage = .connectingLocally(attempt, path: path)
            attempt.start()
        }
    }

    /// Cancels the attempt. The completion is not called.
    package func cancel() {
        completion = nil
        end()
    }

    // MARK: Stages

    private func reach(_ host: String, _ port: UInt16) {
        guard HostName.isWellFormed(host) else { return finish(.failure(.nameNotFound("it is not a host name"))) }
        guard let proxy else {
            return resolve(host, port, policy: policy) { [unowned self] in finish(.success($0)) }
        }
        // The proxy looks up names, but an address can be checked here.
        if let address = IPAddress(host), case .refused(let reason) = policy.check(address, for: host) {
            return finish(.failure(.forbidden(reason)))
        }
        // The proxy's address is configured, so it may be in a private network.
        resolve(proxy.host, proxy.port, policy: AddressPolicy(allowsPrivate: true)) { [unowned self] descriptor in
            let tunnel = ProxyTunnel(loop: loop, descriptor: descriptor) { [unowned self] in finish($0) }
            stage = .tunnelling(tunnel, proxy: proxy.description)
            tunnel.start(proxy.request(for: host, port))
        }
    }

    private func resolve(
        _ host: String, _ port: UInt16, policy: AddressPolicy, connected: @escaping (Int32) -> Void
    ) {
        guard let resolver else { preconditionFailure("this connector was made for targets without names") }
        stage = .resolving(nil, host: host)
        let pending = resolver.resolve(host, on: loop) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): finish(.failure(.nameNotFound(error.text)))
            case .success(let addresses):
                switch Connector.allowed(addresses, for: host, by: policy) {
                case .failure(let failure): finish(.failure(failure))
                case .success(let allowed): race(allowed, port, host: host, connected: connected)
                }
            }
        }
        // Without a wait, a later stage has already begun or ended.
        if let pending { stage = .resolving(pending, host: host) }
    }

    /// Returns the addresses that the policy allows; if there are none, the reason why the first one is refused.
    private static func allowed(
        _ addresses: [IPAddress], for host: String, by policy: AddressPolicy
    ) -> Result<[IPAddress], Failure> {
        var allowed: [IPAddress] = []
        var reason: String?
        for address in addresses {
            switch policy.check(address, for: host) {
            case .allowed: allowed.append(address)
            case .refused(let text): reason = reason ?? text
            }
        }
        return allowed.isEmpty ? .failure(.forbidden(reason ?? "the name has no address")) : .success(allowed)
    }

    private func race(
        _ addresses: [IPAddress], _ port: UInt16, host: String, connected: @escaping (Int32) -> Void
    ) {
        let race = AddressRace(loop: loop, addresses: addresses, port: port) { [unowned self] result in
            switch result {
            case .success(let descriptor): connected(descriptor)
            case .failure(let failure): finish(.failure(failure))
            }
        }
        stage = .connecting(race, host: host)
        race.start()
    }

    // MARK: The end

    private var activity: String {
        switch stage {
        case .idle: "starting"
        case .resolving(_, let host): "looking up \(host)"
        case .connecting(_, let host): "connecting to \(host)"
        case .connectingLocally(_, let path): "connecting to \(path)"
        case .tunnelling(_, let proxy): "waiting for the proxy \(proxy)"
        }
    }

    private func finish(_ result: Result<Int32, Failure>) {
        let completion = completion
        self.completion = nil
        end()
        completion?(result)
    }

    private func end() {
        timer?.cancel()
        let stage = stage
        self.stage = .idle
        switch stage {
        case .idle: break
        case .resolving(let pending, _): pending?.cancel()
        case .connecting(let race, _): race.cancel()
        case .connectingLocally(let attempt, _): attempt.cancel()
        case .tunnelling(let tunnel, _): tunnel.cancel()
        }
    }
}
