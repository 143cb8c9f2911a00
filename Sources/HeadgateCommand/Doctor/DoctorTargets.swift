import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import HeadgateService

/// An examined address.
struct DoctorTarget {
    let url: BaseURL
    /// Key for the address; nil if none is known, or none may be sent there.
    let key: String?

    /// Address for display.
    var address: String {
        if case .unix(let path) = url.endpoint { return "unix:\(path)" }
        return url.text ?? url.authority
    }

    /// Whether the address can be reached only from this machine.
    var isLocal: Bool {
        switch url.endpoint {
        case .unix: true
        case .tcp(let host, _), .tls(let host, _): HostName.isLoopback(host)
        }
    }

    var isInTheClear: Bool {
        guard case .tcp = url.endpoint else { return false }
        return !isLocal
    }
}

/// Addresses to examine, each with its key. The gateway's own key is only sent to this machine.
struct DoctorTargets {
    let root: DoctorTarget
    /// The gateway itself, if `root` is a proxy in front of it.
    let direct: DoctorTarget?
    /// Configuration of the examined gateway, if it is known to use it.
    let configuration: Configuration?

    /// Finds the addresses.
    ///
    /// - Throws: ``Complaint``.
    init(_ command: DoctorCommand, _ environment: [String: String], group: EventLoopGroup) throws {
        let options = command.gateway
        let given = try options.givenKey(environment)
        let direct = try command.direct.map { text in
            try DoctorTargets.target(DoctorTargets.parse(direct: text), given, environment)
        }
        guard let url = try options.chosenURL(environment) else {
            let configuration = try options.configuration.source.loadWithoutSecrets()
            guard let url = DoctorTargets.listener(of: configuration, group: group).url else {
                throw Complaint(
                    "every listener has TLS: give the name that the certificate is for with --url https://...")
            }
            root = DoctorTarget(url: url, key: try given ?? ReachableGateway.key(of: configuration, environment))
            self.direct = direct
            self.configuration = configuration
            return
        }
        let root = try DoctorTargets.target(url, given, environment)
        self.root = root
        // A proxy is often examined from its gateway's machine, but not always.
        let configuration = try? options.configuration.source.loadWithoutSecrets()
        let listener = configuration.map { DoctorTargets.listener(of: $0, group: group) }
        self.configuration = listener?.answers == true ? configuration : nil
        if direct == nil, let listener, listener.answers, let behind = listener.url, behind != root.url {
            let isOurs = DoctorTarget(url: behind, key: nil).isLocal
            let key = try given ?? (isOurs ? ReachableGateway.ownKey(environment) : nil)
            self.direct = DoctorTarget(url: behind, key: key)
        } else {
            self.direct = direct
        }
    }

    private static func target(
        _ url: UpstreamURL, _ given: String?, _ environment: [String: String]
    ) throws -> DoctorTarget {
        let key = try given ?? (url.isLoopback ? ReachableGateway.ownKey(environment) : nil)
        return DoctorTarget(url: BaseURL(url).withoutVersion, key: key)
    }

    /// Returns the first listener that responds like a gateway, or else the first possible one.
    private static func listener(
        of configuration: Configuration, group: EventLoopGroup
    ) -> (url: BaseURL?, answers: Bool) {
        let urls = configuration.listeners.withEveryRoute.filter { $0.address.port != 0 }.compactMap(\.localURL)
        let probe = GatewayProbe(group: group)
        let found = urls.first { (try? probe.askReadiness(of: $0))?.isReadyGateway == true }
        return (found ?? urls.first, found != nil)
    }

    private static func parse(direct text: String) throws -> UpstreamURL {
        do {
            return try UpstreamURL(parsing: text, allowingPlainHTTP: true)
        } catch {
            throw Complaint("--direct: \(error.message)")
        }
    }

    /// Secrets that must not appear in a report.
    var secrets: Set<String> { Set([root.key, direct?.key].compactMap(\.self)) }
}
