import HeadgateConfiguration

extension UpstreamURL {
    /// As it is written in a configuration.
    var text: String {
        switch scheme {
        case .unix: "unix:\(socketPath ?? ""):\(pathPrefix)"
        case .http, .https: "\(scheme.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)\(pathPrefix)"
        }
    }
}
