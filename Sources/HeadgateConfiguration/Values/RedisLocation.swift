/// Address and credentials of a Redis server.
package struct RedisLocation: Sendable, Equatable {
    package enum Place: Sendable, Equatable {
        /// A name or an IP address; an IPv6 address is without brackets.
        case host(String, port: UInt16, isSecure: Bool)
        /// A Unix socket at an absolute path.
        case socket(String)
    }

    package let place: Place
    /// User; nil for the server's default user.
    package let user: String?
    package let password: Secret?
    package let database: Int

    package static let standardPort: UInt16 = 6379

    package init(_ place: Place, user: String? = nil, password: Secret? = nil, database: Int = 0) {
        self.place = place
        self.user = user
        self.password = password
        self.database = database
    }

    /// Whether the password travels over a network unencrypted.
    var showsPassword: Bool {
        guard password != nil, case .host(let host, _, false) = place else { return false }
        return host != "::1" && (try? Host(parsing: host[...]))?.isLoopback != true
    }
}

extension RedisLocation: CustomStringConvertible {
    /// The URL with the user and the password redacted.
    package var description: String {
        let user = password == nil ? "" : "\(redactedText)@"
        switch place {
        case .host(let host, let port, let isSecure):
            let host = host.contains(":") ? "[\(host)]" : host
            let end = database == 0 ? "" : "/\(database)"
            let port = port == RedisLocation.standardPort ? "" : ":\(port)"
            return "\(isSecure ? "rediss" : "redis")://\(user)\(host)\(port)\(end)"
        case .socket(let path): return "redis+unix://\(user)\(path)\(database == 0 ? "" : "?db=\(database)")"
        }
    }
}

/// Place of the counters for limits and budgets.
package enum CountersConfiguration: Sendable, Equatable {
    /// Each gateway has its own counters.
    case memory
    /// Several gateways share the counters on a server.
    case redis(RedisLocation)

    static let expected =
        "memory, redis://HOST, rediss://HOST or redis+unix:///PATH, with [:PORT] and [/DATABASE] after a host and "
        + "[?db=DATABASE] after a path"

    static func parse(_ text: String) throws(InvalidValue) -> CountersConfiguration {
        text == "memory" ? .memory : .redis(try RedisLocation(parsing: text))
    }
}
