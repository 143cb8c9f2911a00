import CHeadgate
import Glibc
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateServer
import HeadgateUpstream

/// The running parts of a gateway, put together from its configuration.
struct Composition {
    let gateway: Gateway
    let server: HTTPServer
    let onDevice: OnDeviceModel?
    let log: LogWriter

    /// Opens the listener and begins to serve.
    ///
    /// - Throws: ``Complaint`` when the address cannot be used.
    init(
        _ configuration: Configuration, authentication: ClientAuthentication, environment: [String: String],
        group: EventLoopGroup, onDeviceChanged: @escaping @Sendable (OnDeviceState) -> Void
    ) throws {
        let log = LogWriter(group: group, descriptor: STDERR_FILENO)
        var onDevice: OnDeviceModel?
        var definitions: [UpstreamDefinition] = []
        for upstream in configuration.upstreams {
            let transport = UpstreamTransport(group: group, timeouts: TransferTimeouts(upstream.timeouts))
            switch upstream.kind {
            case .openai:
                guard let url = upstream.baseURL else { continue }
                definitions.append(
                    UpstreamDefinition(
                        name: upstream.name, baseURL: BaseURL(url), credential: upstream.apiKey,
                        headers: upstream.headers,
                        transport: transport))
            case .onDevice:
                let key = try GatewayKey.make()
                do {
                    let model =
                        try onDevice
                        ?? OnDeviceModel(
                            loop: group.loops[0], environment: environment, key: key, observer: onDeviceChanged)
                    onDevice = model
                    definitions.append(
                        UpstreamDefinition(
                            name: upstream.name, baseURL: model.baseURL, credential: Secret(key),
                            transport: OnDeviceTransport(model: model, transport: transport)))
                } catch let error as OnDeviceError {
                    onDeviceChanged(.failed(error.description))
                }
            }
        }
        let snapshot = GatewaySnapshot(
            upstreams: definitions, models: configuration.models, keys: authentication.keys,
            limits: configuration.limits)
        let format: AccessLog.Format = isatty(STDERR_FILENO) == 1 ? .pretty : .json
        let gateway = Gateway(
            snapshot: snapshot,
            accessLog: AccessLog(format: format, sink: log, realtime: headgate_realtime_nanoseconds),
            realtime: headgate_realtime_nanoseconds)
        self.gateway = gateway
        self.onDevice = onDevice
        self.log = log
        do {
            server = try Composition.listen(configuration, gateway: gateway, group: group)
        } catch {
            onDevice?.abandon()
            throw error
        }
    }

    private static func listen(_ configuration: Configuration, gateway: Gateway, group: EventLoopGroup) throws
        -> HTTPServer
    {
        let address = configuration.listen
        let limits = Composition.limits(configuration)
        let ip = address.host == "localhost" ? "127.0.0.1" : address.host
        do {
            return try group.loops[0].performAndWait {
                try HTTPServer(
                    group: group, ip: ip, port: address.port, limits: limits, responder: gateway,
                    logError: { complain("headgate: \($0)") })
            }
        } catch let error as ListenError {
            let advice =
                error.isAddressInUse
                ? "another program has that port; set 'listen:' or HEADGATE_LISTEN to a free one"
                : "set another 'listen:'"
            throw Complaint("cannot listen on \(address): \(error.description) (\(advice))")
        }
    }

    /// Half of the descriptors at most, since a downstream connection needs one upstream; some are kept for everything else.
    static func limits(_ configuration: Configuration) -> ServerLimits {
        var limits = ServerLimits()
        let descriptors = Int(clamping: headgate_raise_descriptor_limit())
        limits.connections = min(configuration.limits.connections ?? 10_000, max(16, (descriptors - 64) / 2))
        return limits
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
