import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP

/// What is examined, and with which key.
struct DoctorTargets {
    let root: BaseURL
    /// The gateway itself, where `root` is something in front of it.
    let direct: BaseURL?
    let key: String?

    /// - Throws: ``Complaint``.
    init(_ command: DoctorCommand, _ environment: [String: String], group: EventLoopGroup) throws {
        let options = command.gateway
        let given = try options.givenKey(environment)
        let direct = try command.direct.map(DoctorTargets.parse(direct:))
        guard let url = try options.chosenURL(environment) else {
            let configuration = try options.configuration.load()
            guard let root = DoctorTargets.listener(of: configuration, group: group).url else {
                throw Complaint(
                    "every listener has TLS: give the name that the certificate is for with --url https://...")
            }
            self.root = root
            self.direct = direct
            key = try given ?? GatewayAtHand.key(of: configuration, environment)
            return
        }
        root = BaseURL(url).withoutVersion
        // A proxy is often examined from the machine of its gateway, and as often not.
        let configuration = try? options.configuration.load()
        let listener = configuration.map { DoctorTargets.listener(of: $0, group: group) }
        let isBehind = listener?.answers == true && listener?.url != root
        self.direct = direct ?? (isBehind ? listener?.url : nil)
        // What our own gateway made is for this machine only: the address may be somebody else's.
        key = try given ?? (url.isLoopback ? GatewayAtHand.ownKey(environment) : nil)
    }

    /// The first listener that answers as a gateway, else the first that could.
    private static func listener(
        of configuration: Configuration, group: EventLoopGroup
    ) -> (url: BaseURL?, answers: Bool) {
        let urls = configuration.listeners.filter { $0.address.port != 0 }.compactMap(\.localURL)
        let probe = GatewayProbe(group: group)
        let found = urls.first { (try? probe.askReadiness(of: $0))?.isReadyGateway == true }
        return (found ?? urls.first, found != nil)
    }

    private static func parse(direct text: String) throws -> BaseURL {
        do {
            return BaseURL(try UpstreamURL(parsing: text, allowingPlainHTTP: true)).withoutVersion
        } catch {
            throw Complaint("--direct: \(error.message)")
        }
    }

    var address: String { DoctorTargets.text(of: root) }

    static func text(of url: BaseURL) -> String {
        if case .unix(let path) = url.endpoint { return "unix:\(path)" }
        return url.text ?? url.authority
    }

    /// Whether only this machine reaches it there.
    var isLocal: Bool {
        switch root.endpoint {
        case .unix: true
        case .tcp(let host, _), .tls(let host, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
        }
    }

    var isInTheClear: Bool {
        guard case .tcp = root.endpoint else { return false }
        return !isLocal
    }
}
