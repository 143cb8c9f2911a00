package import HeadgateConfiguration
package import HeadgateHTTP

extension BaseURL {
    package init(_ url: UpstreamURL) {
        let endpoint: Endpoint =
            switch url.scheme {
            case .http: .tcp(host: url.host, port: url.port)
            case .https: .tls(host: url.host, port: url.port)
            case .unix: .unix(path: url.socketPath ?? "")
            }
        self.init(endpoint: endpoint, pathPrefix: url.pathPrefix)
    }
}
