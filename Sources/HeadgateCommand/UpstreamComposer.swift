import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateNetwork
import HeadgateUpstream

/// Turns configured upstreams into what the gateway uses. Those that have not changed since the last time keep their connections and
/// their programs.
final class UpstreamComposer {
    /// What one configuration asks for, before it takes the place of the last one.
    struct Plan {
        fileprivate var parts: [String: Part] = [:]
        fileprivate(set) var definitions: [UpstreamDefinition] = []
    }

    fileprivate struct Part {
        let configuration: UpstreamConfiguration
        let definition: UpstreamDefinition
        var program: Program?
    }

    /// What the gateway runs for an upstream.
    fileprivate enum Program {
        case onDevice(OnDeviceModel)
        case local(LocalServer)

        var identity: ObjectIdentifier {
            switch self {
            case .onDevice(let model): ObjectIdentifier(model)
            case .local(let server): ObjectIdentifier(server)
            }
        }

        /// Whether a request may be under way; for the on-device model nobody counts.
        var isInUse: Bool {
            switch self {
            case .onDevice: true
            case .local(let server): server.requestsInFlight > 0
            }
        }

        func start() {
            switch self {
            case .onDevice(let model): model.start()
            case .local(let server): server.launch()
            }
        }

        func stop(_ done: @escaping @Sendable () -> Void) {
            switch self {
            case .onDevice(let model): model.stop(done)
            case .local(let server): server.stop(done)
            }
        }
    }

    private let network: UpstreamNetwork
    private let environment: [String: String]
    private let onDeviceChanged: @Sendable (OnDeviceState) -> Void
    private let programLog: ProgramLog
    private var parts: [String: Part] = [:]

    init(
        network: UpstreamNetwork, environment: [String: String], programLog: ProgramLog,
        onDeviceChanged: @escaping @Sendable (OnDeviceState) -> Void
    ) {
        self.network = network
        self.environment = environment
        self.programLog = programLog
        self.onDeviceChanged = onDeviceChanged
    }

    /// - Throws: ``Complaint`` when a file that an upstream needs cannot be used.
    func plan(_ upstreams: [UpstreamConfiguration]) throws -> Plan {
        var plan = Plan()
        // Authorities are read anew each time, since their files may have changed, and only where they are needed: they are large.
        var systemTLS: TLSContext?
        do {
            for upstream in upstreams {
                let kept = parts[upstream.name].flatMap { part in
                    part.configuration == upstream && upstream.authorities == nil ? part : nil
                }
                guard let part = try kept ?? part(for: upstream, systemTLS: &systemTLS) else { continue }
                plan.parts[upstream.name] = part
                plan.definitions.append(part.definition)
            }
        } catch {
            abandon(plan)
            throw error
        }
        return plan
    }

    /// Makes the plan the current state. Programs that it does not need any more are ended: at once when nobody uses them, else
    /// after as long as a shutdown would wait.
    func adopt(_ plan: Plan, drain: Duration) {
        let before = parts
        parts = plan.parts
        for (name, part) in before {
            guard let program = part.program, parts[name]?.program?.identity != program.identity else { continue }
            retire(program, after: drain)
        }
        for (name, part) in parts where before[name]?.program?.identity != part.program?.identity {
            part.program?.start()
        }
    }

    private func retire(_ program: Program, after drain: Duration) {
        guard program.isInUse else { return program.stop {} }
        let loop = network.group.loops[0]
        loop.execute {
            let patience = Patience()
            patience.timer = LoopTimer(loop: loop) {
                program.stop {}
                patience.timer = nil
            }
            patience.timer?.schedule(after: drain)
        }
    }

    /// Keeps a timer until it has fired.
    private final class Patience {
        var timer: LoopTimer?
    }

    /// Removes what was prepared for a plan that is not adopted.
    func abandon(_ plan: Plan) {
        for (name, part) in plan.parts where parts[name]?.program?.identity != part.program?.identity {
            if case .onDevice(let model)? = part.program { model.abandon() }
        }
    }

    /// Ends all programs and waits for them.
    func stop() {
        // All at once: each may take its time.
        let waits = parts.values.compactMap(\.program).map { program in
            let gone = Latch()
            program.stop { gone.open() }
            return gone
        }
        for gone in waits { gone.wait() }
    }

    private func clientTLS(authorities: String?, upstream: String) throws -> TLSContext {
        do {
            return try TLSContext.client(authorities: authorities)
        } catch {
            throw Complaint(
                "cannot use TLS for the upstream '\(upstream)': \(error.description)", exitCode: .configuration)
        }
    }

    private func part(for upstream: UpstreamConfiguration, systemTLS: inout TLSContext?) throws -> Part? {
        if case .onDevice = upstream.kind { return try onDevicePart(upstream) }
        guard let url = upstream.baseURL else { return nil }
        var tls: TLSContext?
        if case .https = url.scheme {
            if upstream.authorities == nil, let systemTLS {
                tls = systemTLS
            } else {
                tls = try clientTLS(authorities: upstream.authorities, upstream: upstream.name)
                if upstream.authorities == nil { systemTLS = tls }
            }
        }
        let access = UpstreamAccess(
            tls: tls, allowsPrivateAddresses: upstream.allowsPrivateAddresses,
            proxy: upstream.proxy.map {
                Proxy(host: $0.host, port: $0.port, credential: $0.credential?.reveal())
            })
        let transport = UpstreamTransport(
            network: network, access: access, timeouts: TransferTimeouts(upstream.timeouts))
        guard let command = upstream.command else {
            let definition = UpstreamDefinition(
                upstream, baseURL: BaseURL(url), credential: upstream.apiKey, catalogue: catalogue(of: upstream)
            ) { transport.with(timeouts: TransferTimeouts($0)) }
            return Part(configuration: upstream, definition: definition)
        }
        // A program that would be run in the same way goes on running, whatever else has changed.
        let server: LocalServer
        if let before = parts[upstream.name], case .local(let running)? = before.program,
            before.configuration.command == command, before.configuration.baseURL == url
        {
            server = running
        } else {
            server = localServer(upstream, command, at: BaseURL(url), transport)
        }
        let definition = UpstreamDefinition(upstream, baseURL: BaseURL(url), credential: upstream.apiKey) {
            LocalServerTransport(server: server, transport: transport.with(timeouts: TransferTimeouts($0)))
        }
        return Part(configuration: upstream, definition: definition, program: .local(server))
    }

    /// What has been learned stays, also where the way to the upstream is made anew.
    private func catalogue(of upstream: UpstreamConfiguration) -> CatalogueAccess {
        if let before = parts[upstream.name], before.configuration == upstream,
            let catalogue = before.definition.catalogue
        {
            return catalogue
        }
        let state = Locked(ModelCatalogue())
        return { change in state.withLock { change(&$0) } }
    }

    private func localServer(
        _ upstream: UpstreamConfiguration, _ command: CommandConfiguration, at baseURL: BaseURL,
        _ transport: UpstreamTransport
    ) -> LocalServer {
        let variables = command.environment
        let run = LocalServerCommand(
            name: upstream.name, arguments: command.arguments,
            variables: { Dictionary(variables.map { ($0.name, $0.value.reveal()) }) { _, last in last } },
            startsAtLaunch: command.start == .launch, startTimeout: command.startTimeout, idleStop: command.idleStop)
        let (programLog, name) = (programLog, upstream.name)
        return LocalServer(
            loop: network.group.loops[0], command: run, environment: environment,
            check: LocalServer.healthCheck(path: command.healthPath, baseURL: baseURL, transport: transport)
        ) { programLog.tell($0, upstream: name) }
    }

    private func onDevicePart(_ upstream: UpstreamConfiguration) throws -> Part? {
        let key = try GatewayKey.make()
        do {
            let model = try OnDeviceModel(
                loop: network.group.loops[0], environment: environment, key: key, observer: onDeviceChanged)
            let transport = UpstreamTransport(network: network, timeouts: TransferTimeouts(upstream.timeouts))
            let definition = UpstreamDefinition(
                upstream, baseURL: model.baseURL, credential: Secret(key)
            ) {
                LocalServerTransport(
                    server: model, patience: $0.firstByte, transport: transport.with(timeouts: TransferTimeouts($0)))
            }
            return Part(configuration: upstream, definition: definition, program: .onDevice(model))
        } catch let error as OnDeviceError {
            onDeviceChanged(.failed(error.description))
            return nil
        }
    }
}

extension TransferTimeouts {
    init(_ configured: UpstreamTimeouts) {
        self.init(connect: configured.connect, firstByte: configured.firstByte, silence: configured.silence)
    }
}

extension BaseURL {
    init(_ url: UpstreamURL) {
        let endpoint: Endpoint =
            switch url.scheme {
            case .http: .tcp(host: url.host, port: url.port)
            case .https: .tls(host: url.host, port: url.port)
            case .unix: .unix(path: url.socketPath ?? "")
            }
        self.init(endpoint: endpoint, pathPrefix: url.pathPrefix)
    }
}
