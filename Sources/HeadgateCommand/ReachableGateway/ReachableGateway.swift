import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgateService

/// The gateway for a command: a named one, a running one, or one that is started for the command.
struct ReachableGateway {
    /// Root URL of the gateway; its OpenAI routes are under `/v1`.
    let root: BaseURL
    /// Key for the gateway; nil if none is needed or known.
    let key: String?
    /// Gateway that was started for the command; nil for any other gateway.
    private let companion: CompanionGateway?

    /// Base URL of the OpenAI routes.
    var api: BaseURL { BaseURL(endpoint: root.endpoint, pathPrefix: root.pathPrefix + "/v1") }

    /// Whether the gateway ends with this command.
    var isCompanion: Bool { companion != nil }

    /// Ends a gateway that was started for the command, and waits until it is gone. Must not be called on a loop.
    func close() { companion?.close() }

    /// Finds a gateway, or starts one and waits until it serves. Must not be called on a loop.
    ///
    /// - Parameters:
    ///   - needsTCP: Whether a Unix socket cannot be used.
    ///   - relay: A signal ends the search.
    ///   - say: Called with progress messages for standard error.
    /// - Throws: ``Complaint``, or ``Interruption``.
    static func find(
        _ options: GatewayOptions, group: EventLoopGroup, relay: SignalRelay, needsTCP: Bool = false,
        say: (String) -> Void
    ) throws -> ReachableGateway {
        let environment = ProcessEnvironment.current
        if let named = try named(options, environment) {
            if needsTCP, named.root.text == nil {
                throw Complaint("a program cannot be given a Unix socket: name an http:// address")
            }
            return named
        }
        let found = try running(
            try options.configuration.source.loadWithoutSecrets(), key: try options.givenKey(environment), environment,
            GatewayProbe(group: group), relay: relay, needsTCP: needsTCP, say: say)
        if let found { return found }
        // A companion gateway needs the whole configuration.
        let configuration = try options.configuration.source.load()
        say("starting a gateway for this command ...")
        let companion = try CompanionGateway(
            configurationFile: options.configuration.source.path, environment: environment, group: group)
        do {
            let url = try companion.waitUntilReady(
                needsModelOnDevice: configuration.upstreams.allSatisfy { $0.kind == .onDevice }, relay: relay,
                progress: say)
            return ReachableGateway(root: url, key: companion.key, companion: companion)
        } catch {
            companion.close()
            throw error
        }
    }

    /// Returns the gateway at the given address without contacting it; nil if no address is given.
    ///
    /// - Throws: ``Complaint``.
    static func named(_ options: GatewayOptions, _ environment: [String: String]) throws -> ReachableGateway? {
        guard let url = try options.chosenURL(environment) else { return nil }
        // The gateway's own key is only for gateways on this machine.
        let key = try options.givenKey(environment) ?? (url.isLoopback ? ReachableGateway.ownKey(environment) : nil)
        return ReachableGateway(root: BaseURL(url).withoutVersion, key: key, companion: nil)
    }

    /// Returns the first ready gateway at the configured addresses; nil if there is none. Must not be called on a loop.
    ///
    /// - Parameter givenKey: A key that replaces the configuration's.
    /// - Throws: ``Complaint``, or ``Interruption``.
    static func running(
        _ configuration: Configuration, key givenKey: String?, _ environment: [String: String], _ probe: GatewayProbe,
        relay: SignalRelay? = nil, needsTCP: Bool = false, say: (String) -> Void
    ) throws -> ReachableGateway? {
        for listener in configuration.listeners.withEveryRoute where listener.address.port != 0 {
            guard let url = listener.localURL, !needsTCP || url.text != nil else { continue }
            let response = try? probe.askReadiness(of: url)
            if let signal = relay?.last { throw Interruption(signal: signal) }
            guard let response else { continue }
            if response.isReadyGateway {
                let key = try givenKey ?? key(of: configuration, environment)
                return ReachableGateway(root: url, key: key, companion: nil)
            }
            say("what answers on \(listener.address) is not a gateway that is ready")
        }
        return nil
    }

    /// Returns a key for a gateway with this configuration; nil if this user knows none.
    static func key(of configuration: Configuration, _ environment: [String: String]) throws -> String? {
        // The gateway might run with a secret that is unknown to this shell. A gateway that needs no key accepts any.
        configuration.keys.isEmpty
            ? try ownKey(environment) : GatewayKey.load(among: configuration.keys, environment: environment)
    }

    /// Returns the key that this user's gateway generated; nil if there is none.
    static func ownKey(_ environment: [String: String]) throws -> String? {
        // Without a place to store it, no key was generated.
        guard (try? GatewayKey.path(environment)) != nil else { return nil }
        return try GatewayKey.load(environment: environment)
    }
}
