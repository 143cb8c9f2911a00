import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgateService

/// The gateway that a command talks to: one that was named, one that runs, or one that was started for the command.
struct ReachableGateway {
    /// The gateway itself; its OpenAI routes are under `/v1`.
    let root: BaseURL
    /// Key; nil if none is needed or known.
    let key: String?
    /// Nil when the gateway lives without us.
    private let companion: CompanionGateway?

    /// The base URL of the OpenAI routes.
    var api: BaseURL { BaseURL(endpoint: root.endpoint, pathPrefix: root.pathPrefix + "/v1") }

    /// Whether it ends with this command.
    var isCompanion: Bool { companion != nil }

    /// Ends a gateway that was started for the command, and waits until it is gone. From no loop.
    func close() { companion?.close() }

    /// Finds a gateway, or starts one and waits until it serves. Must not be called on a loop.
    ///
    /// - Parameters:
    ///   - needsTCP: whether a Unix socket cannot be used.
    ///   - relay: a signal ends the search.
    ///   - say: called with progress messages for standard error.
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

    /// Returns the gateway at the given address, if there is one, without a request to it.
    ///
    /// - Throws: ``Complaint``.
    static func named(_ options: GatewayOptions, _ environment: [String: String]) throws -> ReachableGateway? {
        guard let url = try options.chosenURL(environment) else { return nil }
        // The gateway's own key is for gateways on this machine only.
        let key = try options.givenKey(environment) ?? (url.isLoopback ? ReachableGateway.ownKey(environment) : nil)
        return ReachableGateway(root: BaseURL(url).withoutVersion, key: key, companion: nil)
    }

    /// Returns the first ready gateway at the configured addresses; nil if there is none. Must not be called on a loop.
    ///
    /// - Parameter givenKey: a key that replaces the configuration's.
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

    /// Returns a key for a gateway with this configuration, as far as this user knows one.
    static func key(of configuration: Configuration, _ environment: [String: String]) throws -> String? {
        // The gateway may have been started elsewhere, with a secret that this shell does not know; one that needs no
        // key does not mind one.
        configuration.keys.isEmpty
            ? try ownKey(environment) : GatewayKey.load(among: configuration.keys, environment: environment)
    }

    /// The key that this user's gateway has made for itself, if it has.
    static func ownKey(_ environment: [String: String]) throws -> String? {
        // Without a place to store it, no key was created.
        guard (try? GatewayKey.path(environment)) != nil else { return nil }
        return try GatewayKey.load(environment: environment)
    }
}
