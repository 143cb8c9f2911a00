package import HeadgateNetwork

/// How one upstream may be reached.
package struct UpstreamAccess: Sendable {
    /// For `https`; nil where there is none.
    package var tls: TLSContext?
    /// Whether its name may lead to an address of a private network.
    package var allowsPrivateAddresses: Bool
    package var proxy: Proxy?

    package init(tls: TLSContext? = nil, allowsPrivateAddresses: Bool = false, proxy: Proxy? = nil) {
        self.tls = tls
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.proxy = proxy
    }
}
