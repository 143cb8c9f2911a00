package import HeadgateConfiguration
package import HeadgateHTTP

/// An upstream as passed to the gateway: configuration, credentials and transport.
package struct UpstreamDefinition: Sendable {
    package let configuration: UpstreamConfiguration
    package let baseURL: BaseURL
    /// API keys. Each request carries one of them; empty if the upstream needs none.
    package let credentials: [Secret]
    /// Keys that a program prints; nil if the configuration holds all keys.
    package let issuedKeys: IssuedKeys?
    /// Program that the gateway runs for the upstream; nil if there is none.
    package let program: ProgramAccess?
    /// Requests in flight and last result. Survives reloads that do not change the upstream.
    let activity = UpstreamActivity()
    /// Known refusals of the upstream. Survives the same reloads as the activity.
    let repairs: RepairMemory
    /// Models that the upstream lists; nil without discovery. Survives the same reloads as the activity.
    package let catalogue: CatalogueAccess?
    /// Whether the on-device model can call tools; nil while that is not known.
    let takesTools: @Sendable () -> Bool?
    /// Makes the transport with the given deadlines.
    let transport: @Sendable (UpstreamTimeouts) -> any RelayTransport

    /// - Parameters:
    ///   - credentials: configured keys, or the key that the gateway created for the on-device model.
    ///   - transport: makes the transport with the given deadlines. All transports share the same connections.
    package init(
        _ configuration: UpstreamConfiguration, baseURL: BaseURL, credentials: [Secret],
        issuedKeys: IssuedKeys? = nil, program: ProgramAccess? = nil, catalogue: CatalogueAccess? = nil,
        takesTools: @escaping @Sendable () -> Bool? = { false },
        transport: @escaping @Sendable (UpstreamTimeouts) -> any RelayTransport
    ) {
        self.configuration = configuration
        repairs = RepairMemory(configuration)
        self.baseURL = baseURL
        self.credentials = credentials
        self.issuedKeys = issuedKeys
        self.program = program
        self.catalogue = catalogue
        self.takesTools = takesTools
        self.transport = transport
    }

    package var name: String { configuration.name }

    /// Whether the gateway can pass any request through to the upstream.
    package var passesThrough: Bool { configuration.passesThrough }

    /// All known keys of the upstream, which no text may repeat.
    package var knownKeys: [Secret] { credentials + (issuedKeys?.known() ?? []) }

    /// Identity that survives reloads that do not change the upstream.
    package var identity: ObjectIdentifier { ObjectIdentifier(activity) }
}

/// Keys of an upstream that a program prints while the gateway runs.
package struct IssuedKeys: Sendable {
    /// The newest keys, which no text may repeat.
    package let known: @Sendable () -> [Secret]
    /// State of the program for people, without a key.
    package let status: @Sendable () -> String

    package init(known: @escaping @Sendable () -> [Secret], status: @escaping @Sendable () -> String) {
        self.known = known
        self.status = status
    }
}
