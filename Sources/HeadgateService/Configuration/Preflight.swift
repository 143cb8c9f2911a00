package import HeadgateConfiguration
import HeadgateNetwork
import HeadgateUpstream

/// Checks that decide whether a valid configuration can be served, made before a start and before a reload.
extension Configuration {
    /// Checks that the configuration can be served.
    ///
    /// - Parameter isKeyed: whether clients will have to present a key.
    /// - Throws: ``Complaint``.
    package func checkServable(isKeyed: Bool, environment: [String: String]) throws {
        if environment["HEADGATE_CONTAINER"] != nil { try checkContainer() }
        for listener in listeners where !listener.address.isLoopback && listener.authentication != .peer {
            guard isKeyed else { throw Complaint.keyless(listener.address.description) }
        }
        if let responses { try ResponseStoreFile(responses, environment: environment).check() }
        if let file = log.file { try LogFile.check(file) }
        try checkRecording()
        try checkCacheFolder()
        if !isReplayed, let upstream = upstreamThatIsTheGateway {
            let variable = upstream.kind == .anthropic ? "ANTHROPIC_BASE_URL" : "OPENAI_BASE_URL"
            throw Complaint(
                "the upstream '\(upstream.name)' is this gateway itself: is \(variable) set to it, as 'headgate env' "
                    + "does? Unset it, or listen on another port",
                exitCode: .configuration)
        }
    }

    /// Refuses the on-device model in the container image, which has no Python.
    private func checkContainer() throws {
        guard !isReplayed, upstreams.contains(where: { $0.kind == .onDevice }) else { return }
        throw Complaint(
            "no upstream is configured, and this image does not hold the on-device model: set OPENAI_API_KEY, "
                + "ANTHROPIC_API_KEY, AZURE_OPENAI_API_KEY with AZURE_OPENAI_ENDPOINT, or OLLAMA_HOST; or mount a "
                + "configuration file at /etc/headgate/headgate.yaml, or elsewhere and name it in HEADGATE_CONFIG",
            exitCode: .configuration)
    }

    /// Upstream that is the gateway itself; nil if there is none. It would answer a request by calling itself until the
    /// connection limit.
    private var upstreamThatIsTheGateway: UpstreamConfiguration? {
        let ports = listeners.compactMap(\.address.port).filter { $0 != 0 }
        return upstreams.first { upstream in
            guard let url = upstream.baseURL, url.scheme == .http,
                url.isLoopback
            else { return false }
            return ports.contains(url.port)
        }
    }

    /// Warnings, one line each.
    package var warnings: [String] {
        listeners.compactMap { listener in
            guard !listener.address.isLoopback, listener.tls == nil, origins.publicURL == nil else { return nil }
            return
                "\(listener.address) can be reached by other machines and has no TLS: keys and prompts travel in the "
                + "clear. Add tls: {cert, key}, or public_url: if something in front of it has TLS"
        }
    }
}

extension Configuration {
    /// Returns the programs that cannot be run, one line each.
    package func unusablePrograms(_ environment: [String: String]) -> [String] {
        programs.compactMap { place, program, variables in
            guard !ProgramSearch.canExecute(program, in: environment.merging(variables) { $1 }) else { return nil }
            let reason = program.contains("/") ? "cannot be executed" : "is not in PATH: write its whole path"
            return "\(place): the command '\(program)' \(reason)"
        }
    }

    /// Whether any program must be found in `PATH`.
    package var looksForPrograms: Bool { programs.contains { !$0.name.contains("/") && $0.variables["PATH"] == nil } }

    /// Programs that the gateway starts: key commands, servers of upstreams, and the command for alerts.
    private var programs: [(place: String, name: String, variables: [String: String])] {
        func program(
            _ place: String, _ arguments: [String]?, _ variables: [CommandConfiguration.Variable]? = nil
        ) -> (String, String, [String: String])? {
            guard let name = arguments?.first else { return nil }
            let path = (variables ?? []).filter { $0.name == "PATH" }
            return (place, name, Dictionary(path.map { ($0.name, $0.value.reveal()) }) { _, last in last })
        }
        let ofUpstreams = upstreams.flatMap { upstream in
            [
                program(
                    "upstream '\(upstream.name)': api_key", upstream.keyCommand?.arguments,
                    upstream.keyCommand?.environment),
                program("upstream '\(upstream.name)'", upstream.command?.arguments, upstream.command?.environment),
            ]
        }
        return (ofUpstreams + [program("alerts", alerts?.command)]).compactMap(\.self)
    }
}

extension InheritedSocket {
    /// Checks that the socket can be used without keys.
    ///
    /// - Throws: ``Complaint`` if other machines can reach it.
    func checkKeylessUse() throws {
        guard case .tcp(let ip, let port) = address else { return }
        let listen = ListenAddress.tcp(host: ip, port: port)
        guard listen.isLoopback else { throw Complaint.keyless(listen.description) }
    }
}

extension Complaint {
    fileprivate static func keyless(_ address: String) -> Complaint {
        Complaint(
            "\(address) can be reached by other machines, and no key is configured: add one under 'keys:' "
                + "('headgate key new' makes it), name a file with one in HEADGATE_KEY_FILE, or listen on 127.0.0.1",
            exitCode: .configuration)
    }
}
