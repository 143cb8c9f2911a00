package import HeadgateConfiguration
package import HeadgateHTTP
internal import HeadgateLibC
internal import HeadgatePrimitives

/// Refuses requests that a web page could have made a browser send: those with a foreign `Host` (DNS rebinding) or a
/// foreign `Origin`.
///
/// Runs before authentication and on every route: even without a key a page could learn something from a response.
package struct OriginGuardMiddleware: ServerGate {
    let rules: OriginRules

    package init(rules: OriginRules) {
        self.rules = rules
    }

    package func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws {
        let connection = metadata.connection
        guard
            request.withAuthority({ OriginGuardMiddleware.isLocalEnd($0, connection) })
                || isAllowed(request.authority, connection)
        else {
            throw GatewayError.invalidRequest(
                421,
                "This gateway is not served under that Host. Use the address that it printed at its start, or add the "
                    + "host to allowed_hosts in its configuration.",
                code: "host_not_allowed", cause: .notAllowed)
        }
        if let origin = request.fields.value(of: .origin) {
            guard isOwn(origin, request.authority, connection) || rules.allowedOrigins.contains(where: origin.isExactly)
            else {
                throw OriginGuardMiddleware.foreignOrigin
            }
        } else if let site = request.fields.value(of: .secFetchSite), !site.isExactly("same-origin"),
            !site.isExactly("none")
        {
            throw OriginGuardMiddleware.foreignOrigin
        }
    }

    private static let foreignOrigin = GatewayError.invalidRequest(
        403,
        "Web pages of other origins may not use this gateway. Its owner can add an origin to allowed_origins in the "
            + "configuration.",
        code: "origin_not_allowed", cause: .notAllowed)

    /// Returns whether the host is the local address of the connection. Compares without parsing, for the usual case.
    private static func isLocalEnd(_ host: UnsafeRawBufferPointer, _ connection: ConnectionEnds) -> Bool {
        var own = connection.local.authority
        return own.withUTF8 { own in
            guard host.count == own.count, let left = host.baseAddress, let right = own.baseAddress else {
                return false
            }
            return memcmp(left, right, host.count) == 0
        }
    }

    /// Returns whether a host is allowed without configuration: `localhost`, the loopback addresses, and the address
    /// that accepted the connection, always with the gateway's port. On a Unix socket, only `localhost` is allowed.
    static func isOurs(_ host: String, _ connection: ConnectionEnds) -> Bool {
        guard let authority = Authority(host) else { return false }
        if case .unix = connection.local.carrier { return authority.host == "localhost" }
        guard (authority.port ?? connection.standardPort) == connection.local.port else { return false }
        switch authority.host {
        // DNS rebinding cannot use these names. All are allowed, because a container's port can be published under
        // them.
        case "localhost", "127.0.0.1", "[::1]": return true
        default: return authority.host == connection.local.address || authority.host == "[\(connection.local.address)]"
        }
    }

    private func isAllowed(_ host: String, _ connection: ConnectionEnds) -> Bool {
        if OriginGuardMiddleware.isOurs(host, connection) { return true }
        let publicAuthority = rules.publicURL?.authority
        if let publicAuthority, host.lowercasedASCII.isExactly(publicAuthority) { return true }
        guard !rules.allowedHosts.isEmpty, let authority = Authority(host) else { return false }
        return rules.allowedHosts.contains { allowed in
            guard allowed.host.isExactly(authority.host.lowercasedASCII) else { return false }
            switch allowed.port {
            case .any: return true
            case .exactly(let port): return (authority.port ?? connection.standardPort) == port
            case .own:
                return authority.port == nil || authority.port == connection.local.port
                    || authority.port == connection.standardPort
            }
        }
    }

    private func isOwn(_ origin: String, _ host: String, _ connection: ConnectionEnds) -> Bool {
        if let publicURL = rules.publicURL {
            if origin.isExactly(publicURL.origin) { return true }
            // An attacker on the network could serve a page under the `http` URL of that name.
            if host.lowercasedASCII.isExactly(publicURL.authority) { return false }
        }
        return origin.isExactly("\(connection.scheme)://\(host)")
    }
}

extension ConnectionEnds {
    fileprivate var scheme: String {
        if case .tls = local.carrier { "https" } else { "http" }
    }

    /// Default port, which clients leave out of an authority.
    fileprivate var standardPort: UInt16 {
        if case .tls = local.carrier { 443 } else { 80 }
    }
}
