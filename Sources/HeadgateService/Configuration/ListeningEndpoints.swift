package import HeadgateConfiguration
package import HeadgateServer

/// URLs of a gateway's listeners, as clients on this machine write them.
package struct ListeningEndpoints {
    /// `http://127.0.0.1:8686`, `https://...`, or `unix:/path`; one for each listener.
    package let all: [String]
    /// Endpoint for examples: the first with a URL, else the first socket.
    package let preferred: String
    package let preferredNeedsKey: Bool
    /// Option that curl needs in addition to the URL, with a leading space; empty for none.
    package let curlOption: String

    /// - Parameters:
    ///   - addresses: the bound addresses.
    ///   - listeners: the configured listeners.
    package init(addresses: [ListenerSettings.Address], listeners: [ListenerConfiguration]) {
        func configured(_ index: Int) -> ListenerConfiguration? {
            addresses.count == listeners.count ? listeners[index] : nil
        }
        all = addresses.indices.map { index in
            ListeningEndpoints.url(addresses[index], isTLS: configured(index)?.tls != nil)
        }
        let whole = addresses.indices.filter { [nil, .all].contains(configured($0)?.api) }
        let index = whole.first { addresses[$0].port != nil } ?? whole.first ?? addresses.startIndex
        preferredNeedsKey = configured(index).map { $0.authentication == .key } ?? true
        if case .unix(let path)? = addresses.indices.contains(index) ? addresses[index] : nil {
            preferred = "http://localhost"
            curlOption = " --unix-socket \(path)"
        } else {
            preferred = all.indices.contains(index) ? all[index] : ""
            curlOption = ""
        }
    }

    /// Derives the endpoints from a configuration, without querying the system.
    package init(_ configuration: Configuration) {
        self.init(
            addresses: configuration.listeners.map { ListenerSettings.Address($0.address) },
            listeners: configuration.listeners)
    }

    private static func url(_ address: ListenerSettings.Address, isTLS: Bool) -> String {
        switch address {
        case .unix: return address.description
        case .tcp(let ip, let port):
            // A socket on every address of this machine is also on the loopback address, which always exists.
            let reachable = ip == "0.0.0.0" ? "127.0.0.1" : ip == "::" ? "::1" : ip
            let host = ListenerSettings.Address.tcp(ip: reachable, port: port).description
            return "\(isTLS ? "https" : "http")://\(host)"
        }
    }
}
