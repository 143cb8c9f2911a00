package import HeadgateConfiguration
package import HeadgateHTTP

/// An upstream as whoever composes the gateway hands it over: what it is, with what key, and how to get there.
package struct UpstreamDefinition: Sendable {
    package let configuration: UpstreamConfiguration
    package let baseURL: BaseURL
    package let credential: Secret?
    /// Goes on over reloads that do not change the upstream.
    let activity = UpstreamActivity()
    /// What it lists itself; goes on like the activity. Nil where nobody keeps it.
    package let catalogue: CatalogueAccess?
    /// The way there, with given deadlines.
    let transport: @Sendable (UpstreamTimeouts) -> any RelayTransport

    /// - Parameters:
    ///   - credential: what the upstream demands; the configured key, except where the gateway made one itself.
    ///   - transport: the way there, with given deadlines; every call leads over the same connections.
    package init(
        _ configuration: UpstreamConfiguration, baseURL: BaseURL, credential: Secret?,
        catalogue: CatalogueAccess? = nil, transport: @escaping @Sendable (UpstreamTimeouts) -> any RelayTransport
    ) {
        self.configuration = configuration
        self.baseURL = baseURL
        self.credential = credential
        self.catalogue = catalogue
        self.transport = transport
    }

    package var name: String { configuration.name }
}
