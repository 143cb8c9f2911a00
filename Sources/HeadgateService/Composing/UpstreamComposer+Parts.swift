package import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
package import HeadgateHTTP
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateRelay
import HeadgateUpstream

extension UpstreamComposer {
    /// - Parameter systemTLS: the context with the system's authorities, created for the first upstream that needs it.
    /// - Returns: nil if the on-device model cannot run here; the other upstreams serve anyway.
    func part(for upstream: UpstreamConfiguration, systemTLS: inout TLSContext?) throws -> Part? {
        if case .onDevice = upstream.kind { return try onDevicePart(upstream) }
        guard let url = upstream.baseURL else { return nil }
        let proxy = upstream.proxy.map { Proxy(host: $0.host, port: $0.port, credential: $0.credential?.reveal()) }
        let access = UpstreamAccess(
            tls: try tls(for: upstream, at: url, system: &systemTLS),
            allowsPrivateAddresses: upstream.allowsPrivateAddresses, proxy: proxy)
        let transport = UpstreamTransport(
            network: network, access: access, timeouts: TransferTimeouts(upstream.timeouts))
        let key = try upstream.keyCommand.map { try keyCommand($0, of: upstream) }
        if let command = upstream.command { return programPart(upstream, command, at: url, transport, key) }
        let definition = UpstreamDefinition(
            upstream, baseURL: BaseURL(url), credentials: upstream.apiKeys, issuedKeys: key.map(IssuedKeys.init),
            catalogue: catalogue(of: upstream)
        ) { keyed(transport.with(timeouts: TransferTimeouts($0)), by: key, of: upstream, $0) }
        return Part(configuration: upstream, definition: definition, programs: key.map { [.key($0)] } ?? [])
    }

    // MARK: Keys from a command

    /// Returns the key command. An unchanged command keeps its key.
    private func keyCommand(
        _ configuration: KeyCommandConfiguration, of upstream: UpstreamConfiguration
    ) throws -> KeyCommand {
        if let before = parts[upstream.name], before.configuration.keyCommand == configuration {
            for case .key(let command) in before.programs { return command }
        }
        let (tell, name) = (observer.key, upstream.name)
        return KeyCommand(configuration, of: name, loop: try sideGroup().loops[0], environment: environment) {
            tell($0, name)
        }
    }

    private func tls(
        for upstream: UpstreamConfiguration, at url: UpstreamURL, system: inout TLSContext?
    ) throws -> TLSContext? {
        guard url.scheme == .https else { return nil }
        if upstream.authorities == nil, let system { return system }
        do {
            let context = try TLSContext.client(authorities: upstream.authorities)
            if upstream.authorities == nil { system = context }
            return context
        } catch {
            throw Complaint(
                "cannot use TLS for the upstream '\(upstream.name)': \(error.description)", exitCode: .configuration)
        }
    }

    /// Returns the catalogue of the upstream's models, which survives a new transport.
    private func catalogue(of upstream: UpstreamConfiguration) -> CatalogueAccess {
        if let before = parts[upstream.name], before.configuration == upstream,
            let catalogue = before.definition.catalogue
        {
            return catalogue
        }
        let state = Locked(ModelCatalogue())
        return { change in state.withLock { change(&$0) } }
    }

    /// Returns an upstream that is never called.
    func replayedPart(_ upstream: UpstreamConfiguration) -> Part {
        let baseURL =
            upstream.baseURL.map(BaseURL.init)
            ?? BaseURL(endpoint: .tcp(host: "localhost", port: 80), pathPrefix: "/v1")
        let definition = UpstreamDefinition(upstream, baseURL: baseURL, credentials: upstream.apiKeys) { _ in
            NoTransport()
        }
        return Part(configuration: upstream, definition: definition, isReplayed: true)
    }

    private struct NoTransport: RelayTransport {
        func send(
            _: UpstreamRequest, to _: BaseURL, completion: @escaping UpstreamCompletion
        ) -> (any Cancellable)? {
            completion(.failure(TransportError(.notRecorded, "this request is not one that is recorded")))
            return nil
        }
    }

    // MARK: Programs

    private func programPart(
        _ upstream: UpstreamConfiguration, _ command: CommandConfiguration, at url: UpstreamURL,
        _ transport: UpstreamTransport, _ key: KeyCommand?
    ) -> Part {
        // An unchanged program continues to run, whatever else has changed.
        let server = runningServer(of: upstream) ?? localServer(upstream, command, at: BaseURL(url), transport)
        let definition = UpstreamDefinition(
            upstream, baseURL: BaseURL(url), credentials: upstream.apiKeys, issuedKeys: key.map(IssuedKeys.init),
            program: ProgramAccess(server, of: command.group)
        ) {
            let awaited = LocalServerTransport(
                server: server, commitsAfter: command.group == nil ? nil : .seconds(2),
                transport: transport.with(timeouts: TransferTimeouts($0)))
            return keyed(awaited, by: key, of: upstream, $0)
        }
        return Part(
            configuration: upstream, definition: definition,
            programs: [.local(server)] + (key.map { [.key($0)] } ?? []))
    }

    private func runningServer(of upstream: UpstreamConfiguration) -> LocalServer? {
        guard let before = parts[upstream.name], before.configuration.command == upstream.command,
            before.configuration.baseURL == upstream.baseURL
        else { return nil }
        for case .local(let server) in before.programs { return server }
        return nil
    }

    private func localServer(
        _ upstream: UpstreamConfiguration, _ command: CommandConfiguration, at baseURL: BaseURL,
        _ transport: UpstreamTransport
    ) -> LocalServer {
        let variables = command.environment
        let run = LocalServerCommand(
            name: upstream.name, arguments: command.arguments,
            variables: { Dictionary(variables.map { ($0.name, $0.value.reveal()) }) { _, last in last } },
            startsAtLaunch: command.preload, startTimeout: command.startTimeout, idleStop: command.ttl)
        let (tell, name) = (observer.local, upstream.name)
        return LocalServer(
            loop: network.group.loops[0], command: run, environment: environment,
            group: command.group.map { programGroup($0) },
            check: LocalServer.healthCheck(path: command.healthPath, baseURL: baseURL, transport: transport)
        ) { tell($0, name) }
    }

    private func onDevicePart(_ upstream: UpstreamConfiguration) throws -> Part? {
        let key = NewKey.make()
        do {
            let model = try OnDeviceModel(
                file: upstream.deviceModel, name: upstream.nameOnDevice, loop: network.group.loops[0],
                environment: environment, key: key, observer: observer.onDevice)
            let transport = UpstreamTransport(network: network, timeouts: TransferTimeouts(upstream.timeouts))
            // The built-in model cannot call tools, which is known before it is ready.
            let takesTools: @Sendable () -> Bool? = { [weak model, isBuiltIn = upstream.deviceModel == nil] in
                isBuiltIn ? false : model?.takesTools
            }
            let definition = UpstreamDefinition(
                upstream, baseURL: model.baseURL, credentials: [Secret(key)], takesTools: takesTools
            ) {
                OnDeviceTransport(
                    LocalServerTransport(
                        server: model, longestWait: $0.firstByte,
                        transport: transport.with(timeouts: TransferTimeouts($0))))
            }
            return Part(configuration: upstream, definition: definition, programs: [.onDevice(model)])
        } catch let error as OnDeviceError {
            observer.onDevice(.failed(error.description))
            return nil
        }
    }
}

/// Returns the transport, with the keys of a command if there is one.
private func keyed(
    _ transport: any RelayTransport, by command: KeyCommand?, of upstream: UpstreamConfiguration,
    _ timeouts: UpstreamTimeouts
) -> any RelayTransport {
    guard let command else { return transport }
    let placement = KeyPlacement(upstream)
    return KeyedTransport(command, longestWait: timeouts.firstByte, transport: transport) { placement.add($0, to: &$1) }
}

extension IssuedKeys {
    fileprivate init(_ command: KeyCommand) { self.init(known: { command.known }, status: { command.status }) }
}

extension ProgramAccess {
    fileprivate init(_ server: LocalServer, of group: String?) {
        self.init(status: { Status(server, of: group) }, unload: { server.unload() })
    }
}

extension ProgramAccess.Status {
    fileprivate init(_ server: LocalServer, of group: String?) {
        let (state, report) = (server.state, server.report)
        var reason: String?
        if case .failed(let text) = state { reason = text }
        self.init(
            state: state.word, group: group, reason: reason, requestsInFlight: server.requestsInFlight,
            waiting: report.waiting,
            starts: report.starts, output: report.output)
    }
}

extension TransferTimeouts {
    init(_ configured: UpstreamTimeouts) {
        self.init(connect: configured.connect, firstByte: configured.firstByte, silence: configured.silence)
    }
}

extension BaseURL {
    package init(_ url: UpstreamURL) {
        let endpoint: Endpoint =
            switch url.scheme {
            case .http: .tcp(host: url.host, port: url.port)
            case .https: .tls(host: url.host, port: url.port)
            case .unix: .unix(path: url.socketPath ?? "")
            }
        self.init(endpoint: endpoint, pathPrefix: url.pathPrefix)
    }
}
