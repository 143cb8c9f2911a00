internal import HTTPTypes
internal import HeadgateHTTP

/// Refuses requests that a web page could have made a browser send: a foreign `Host` (DNS rebinding), a foreign
/// `Origin`.
///
/// Runs before authentication and on every route: a page needs no key to do harm by what an answer tells it.
struct OriginGuardMiddleware: ServerGate {
    func admit(_ request: HTTPRequest, metadata: ServerRequestMetadata, operationID: String) throws {
        let host = request.authority ?? ""
        guard OriginGuardMiddleware.isOurs(host, metadata.connection) else {
            throw GatewayError.invalidRequest(
                421, "This gateway is not served under that Host. Use the address that it printed at its start.",
                code: "host_not_allowed")
        }
        if let origin = request.headerFields.first(.origin) {
            guard origin == "http://\(host)" else { throw OriginGuardMiddleware.foreignOrigin }
        } else if let site = request.headerFields.first(.secFetchSite), site != "same-origin", site != "none" {
            throw OriginGuardMiddleware.foreignOrigin
        }
    }

    private static let foreignOrigin = GatewayError.invalidRequest(
        403, "Web pages of other origins may not use this gateway.", code: "origin_not_allowed")

    /// Only IP literals of the address that the connection came in on, and `localhost`, always with our port.
    static func isOurs(_ host: String, _ connection: ConnectionEnds) -> Bool {
        // The usual case, without parsing.
        if host == connection.localAuthority { return true }
        // A browser leaves out the port that its scheme implies.
        guard let authority = Authority(host), (authority.port ?? 80) == connection.localPort else { return false }
        let isLoopback = connection.localAddress == "::1" || connection.localAddress.hasPrefix("127.")
        switch authority.host {
        case "localhost": return true
        case "127.0.0.1", "[::1]": return isLoopback
        default: return authority.host == connection.localAddress || authority.host == "[\(connection.localAddress)]"
        }
    }
}
