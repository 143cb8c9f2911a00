package import HeadgateConfiguration
package import HeadgateHTTP

/// An upstream as it is passed to the gateway: configuration, credential and transport.
package struct UpstreamDefinition: Sendable {
    package let configuration: UpstreamConfiguration
    package let baseURL: BaseURL
    /// The keys, of which each request carries one; empty for none.
    package let credentials: [Secret]
    /// Survives reloads that do not change the upstream.
    let activity = UpstreamActivity()
    /// What it is known to refuse; survives like the activity.
    let repairs: RepairMemory
    /// The models that it lists; survives like the activity. Nil without discovery.
    package let catalogue: CatalogueAccess?
    /// Makes the transport, with given deadlines.
    package let transport: @Sendable (UpstreamTimeouts) -> any RelayTransport

    /// - Parameters:
    ///   - credentials: the configured keys, or the one that the gateway made for the on-device model.
    ///   - transport: makes the transport with given deadlines; all share the same connections.
    package init(
        _ configuration: UpstreamConfiguration, baseURL: BaseURL, credentials: [Secret],
        catalogue: CatalogueAccess? = nil, transport: @escaping @Sendable (UpstreamTimeouts) -> any RelayTransport
    ) {
        self.configuration = configuration
        repairs = RepairMemory(configuration)
        self.baseURL = baseURL
        self.credentials = credentials
        self.catalogue = catalogue
        self.transport = transport
    }

    package var name: String { configuration.name }

    /// The same over reloads that do not change the upstream.
    package var identity: ObjectIdentifier { ObjectIdentifier(activity) }
}
