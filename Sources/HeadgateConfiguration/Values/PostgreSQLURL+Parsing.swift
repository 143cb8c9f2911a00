internal import HeadgatePrimitives

extension PostgreSQLURL {
    package static let example = "postgresql://user@host/database"

    /// Parameters of libpq that contain a secret.
    private static let secrets: Set<String> = ["password", "sslpassword"]
    /// Parameters that select the server.
    private static let places: Set<String> = ["host", "hostaddr", "port", "dbname", "service"]
    private static let parameters = secrets.union(places).union([
        "user", "passfile", "require_auth", "channel_binding", "connect_timeout", "client_encoding", "options",
        "application_name", "fallback_application_name", "keepalives", "keepalives_idle", "keepalives_interval",
        "keepalives_count", "tcp_user_timeout", "gssencmode", "krbsrvname", "gsslib", "gssdelegation", "sslmode",
        "sslnegotiation", "sslcompression", "sslcert", "sslkey", "sslcertmode", "sslrootcert", "sslcrl", "sslcrldir",
        "sslsni", "requirepeer", "ssl_min_protocol_version", "ssl_max_protocol_version", "target_session_attrs",
        "load_balance_hosts", "requiressl",
    ])

    /// Returns whether a text is meant as a PostgreSQL URL.
    package static func isMeant(_ text: String) -> Bool {
        text.hasPrefix("postgresql:") || text.hasPrefix("postgres:")
    }

    /// - Throws: ``InvalidValue``, which does not quote the text, because an invalid one can contain a password
    ///   anywhere.
    package init(parsing text: String) throws(InvalidValue) {
        guard
            let rest = ["postgresql://", "postgres://"].first(where: text.hasPrefix).map({ text.dropFirst($0.count) })
        else { throw InvalidValue("expected \(Self.example)") }
        guard text.utf8.count <= 4000, text.utf8.allSatisfy(ASCII.isVisible) else {
            throw InvalidValue(
                "the URL holds white space or a character outside ASCII, or is above 4000 bytes: percent-encode it")
        }
        guard !rest.contains("#") else { throw InvalidValue("the URL holds a '#': write %23 for one in a password") }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let authority = path[0].split(separator: "@", omittingEmptySubsequences: false)
        guard authority.count <= 2, let hosts = authority.last else {
            throw InvalidValue("more than one '@': write %40 for one in a user or password")
        }
        var passwords: [Secret] = []
        var user = ""
        if authority.count == 2 {
            let halves = authority[0].split(separator: ":", omittingEmptySubsequences: false)
            guard halves.count <= 2 else { throw InvalidValue("a ':' in the password: write %3A for it") }
            _ = try PercentEncoding.octets(of: halves[0], in: "it")
            user = String(halves[0]) + (halves.count == 2 ? ":\(redactedText)" : "") + "@"
            if halves.count == 2 { passwords += try Self.forms(of: halves[1]) }
        }
        try Self.check(hosts)
        let database = path.count == 2 ? try PercentEncoding.octets(of: path[1], in: "it") : []
        guard !database.contains(UInt8(ascii: "/")) else {
            throw InvalidValue("expected one name of a database after the host: write %2F for a '/' in it")
        }
        var (places, shown): ([String], [String]) = ([], [])
        var hasDatabase = !database.isEmpty
        for pair in parts.count == 2 ? parts[1].split(separator: "&", omittingEmptySubsequences: false) : [] {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, !halves[0].isEmpty else {
                throw InvalidValue("expected name=value after the '?', and '&' between several")
            }
            let name = String(halves[0])
            guard Self.parameters.contains(name) || name == "ssl" else {
                throw InvalidValue("it has a parameter after the '?' that PostgreSQL does not know")
            }
            if Self.secrets.contains(name) { passwords += try Self.forms(of: halves[1]) }
            if Self.places.contains(name) {
                places.append(
                    "\(name)=\(String(decoding: try PercentEncoding.octets(of: halves[1], in: "it"), as: UTF8.self))")
            }
            hasDatabase = hasDatabase || name == "dbname" || name == "service"
            shown.append(Self.secrets.contains(name) ? "\(name)=\(redactedText)" : String(pair))
        }
        guard hasDatabase else { throw InvalidValue("it names no database: expected \(Self.example)") }
        let base = "\(hosts)/\(path.count == 2 ? path[1] : "")"
        self.init(
            text: Secret(text), passwords: passwords,
            place: "postgresql://\(base)" + (places.isEmpty ? "" : "?" + places.joined(separator: "&")),
            shown: "postgresql://\(user)\(base)" + (shown.isEmpty ? "" : "?" + shown.joined(separator: "&")))
    }

    /// Checks names, addresses or percent-encoded folders of sockets, each with or without a port.
    private static func check(_ hosts: Substring) throws(InvalidValue) {
        for host in hosts.split(separator: ",", omittingEmptySubsequences: false) {
            var name = host
            var port: Substring?
            if host.hasPrefix("[") {
                guard let end = host.firstIndex(of: "]") else { throw InvalidValue("an address lacks its ']'") }
                name = host[...end]
                let rest = host[host.index(after: end)...]
                guard rest.isEmpty || rest.hasPrefix(":") else { throw InvalidValue("expected a port after the ']'") }
                port = rest.isEmpty ? nil : rest.dropFirst()
            } else if let colon = host.firstIndex(of: ":") {
                name = host[..<colon]
                port = host[host.index(after: colon)...]
            }
            _ = try PercentEncoding.octets(of: name, in: "it")
            if let port, UInt16(port) ?? 0 == 0 { throw InvalidValue("expected a port from 1 to 65535 after the host") }
        }
    }

    /// Returns a password as written and percent-decoded; empty if the password is empty.
    private static func forms(of text: Substring) throws(InvalidValue) -> [Secret] {
        let meant = Secret(try PercentEncoding.octets(of: text, in: "it"))
        return text.isEmpty ? [] : [Secret(String(text)), meant]
    }
}
