package import HeadgateConfiguration
package import HeadgateNetwork

/// Address of a Redis server, with the credentials for it.
package struct RedisAccess: Sendable {
    let target: Connector.Target
    /// TLS of the connection; nil for a plain one.
    let tls: (context: TLSContext, role: TLSSession.Role)?
    private let location: RedisLocation

    /// - Parameter tls: required if the location uses TLS.
    package init(_ location: RedisLocation, tls: TLSContext? = nil) {
        self.location = location
        switch location.place {
        case .host(let host, let port, let isSecure):
            target = .host(host, port: port)
            self.tls = isSecure ? tls.map { ($0, .client(hostName: host, port: port)) } : nil
            precondition(!isSecure || tls != nil, "TLS is asked for, and nothing to do it with")
        case .socket(let path):
            target = .unix(path: path)
            self.tls = nil
        }
    }

    /// First commands on a connection.
    var greeting: [RedisCommand] {
        var commands: [RedisCommand] = []
        if let password = location.password {
            var command = RedisCommand("AUTH")
            if let user = location.user { command.append(user) }
            command.append(password.reveal())
            commands.append(command)
        }
        if location.database != 0 { commands.append(RedisCommand("SELECT", String(location.database))) }
        return commands
    }
}

extension RedisAccess: CustomStringConvertible {
    /// Location without the user and the password.
    package var description: String { location.description }
}
