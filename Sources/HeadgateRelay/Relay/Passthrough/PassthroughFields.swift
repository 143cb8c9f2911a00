internal import HTTPTypes
internal import HeadgateHTTP

/// Headers of requests and responses that are passed through.
enum PassthroughFields {
    /// Returns the client's headers to forward to the upstream. Leaves out hop-by-hop headers, headers that identify or
    /// locate the client, and headers that could contain a credential.
    static func request(_ client: HeadFields) -> HTTPFields {
        let ofConnection = listed(client.all(named: .connection))
        return client.httpFields.filtered { field in
            let name = field.name.canonicalName
            return !HeadEncoder.isOfFraming(field.name) && !ofConnection.contains(name) && !withheld.contains(name)
                && !withheldPrefixes.contains(where: name.hasPrefix) && !isCredential(name)
                // Servers decode other bytes differently, so only ASCII values are forwarded.
                && field.value.utf8.allSatisfy { $0 < 0x80 }
        }
    }

    /// Returns whether a header contains a credential, judging by its name.
    private static func isCredential(_ name: String) -> Bool {
        name != "idempotency-key" && credentialWords.contains(where: name.contains)
    }

    private static let credentialWords = [
        "auth", "cookie", "credential", "key", "password", "secret", "session", "signature", "token",
    ]
    /// Headers about the client, its browser, and proxies before the gateway, and headers that replace the path at some
    /// servers. Those that select another account of the upstream's owner pass only if `forward_headers` names them.
    private static let withheld: Set<String> = [
        "accept-encoding", "anthropic-user-profile-id", "anthropic-workspace-id", "forwarded", "from", "max-forwards",
        "openai-organization", "openai-project", "origin", "referer", "via", "x-original-url", "x-real-ip",
        "x-rewrite-url",
    ]
    private static let withheldPrefixes = ["access-control-", "cf-", "proxy-", "sec-", "x-forwarded-", "x-headgate-"]

    /// Returns the upstream's headers to forward to the client. Leaves out hop-by-hop headers, and headers that a
    /// browser would apply to the gateway's own origin.
    static func response(_ upstream: ResponseHead) -> HTTPFields {
        let ofConnection = listed(upstream.fields.all(named: .connection))
        var fields = upstream.fields.httpFields.filtered { field in
            let name = field.name.canonicalName
            return !HeadEncoder.isOfFraming(field.name) && !ofConnection.contains(name) && !unreturned.contains(name)
                && !unreturnedPrefixes.contains(where: name.hasPrefix)
        }
        if let type = fields[.contentType] { fields[.contentType] = opaque(type) }
        // The body is the upstream's, and must not run as a page of the gateway.
        for (name, value) in [("content-security-policy", "sandbox"), ("x-content-type-options", "nosniff")] {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }

    private static let unreturned: Set<String> = [
        "alt-svc", "clear-site-data", "content-encoding", "date", "nel", "refresh", "report-to", "reporting-endpoints",
        "set-cookie", "set-cookie2", "strict-transport-security", "www-authenticate", "x-request-id", "x-sendfile",
    ]
    private static let unreturnedPrefixes = [
        "access-control-", "content-security-policy", "proxy-", "x-accel-", "x-headgate-",
    ]

    /// Respells the types of the gateway's own streams, because nothing may be added to bytes that are not parsed.
    private static func opaque(_ type: String) -> String {
        let head = ServerResponseHead(HTTPResponse(status: .ok, headerFields: [.contentType: type]))
        guard EventStream.isEventStream(head) || LineStream.isLineStream(head) else { return type }
        return type.prefix { $0 != ";" } + ";charset=utf-8"
    }

    /// Returns the names that a `Connection` header lists (RFC 9110 section 7.6.1).
    private static func listed(_ connection: [HTTPField]) -> Set<String> {
        let names = connection.flatMap { $0.value.split(separator: ",") }
        return Set(names.map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() })
    }
}

extension HTTPFields {
    fileprivate func filtered(_ isWanted: (HTTPField) -> Bool) -> HTTPFields {
        var wanted = HTTPFields()
        for field in self where isWanted(field) { wanted.append(field) }
        return wanted
    }
}
