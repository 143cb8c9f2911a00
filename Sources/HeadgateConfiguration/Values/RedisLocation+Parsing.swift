internal import HeadgatePrimitives

extension RedisLocation {
    /// Parses `redis://`, `rediss://` and `redis+unix://` strictly. User and password can be percent-encoded, and must
    /// be if they contain one of `:/?#@%`.
    init(parsing text: String, expected: String = CountersConfiguration.expected) throws(InvalidValue) {
        guard text.utf8.count <= 2048 else { throw InvalidValue("the URL is longer than 2048 bytes") }
        guard text.utf8.allSatisfy(ASCII.isVisible) else {
            throw InvalidValue("the URL holds white space or a character outside ASCII: percent-encode it")
        }
        if text.hasPrefix("redis+unix://") {
            try self.init(parsingSocket: text.dropFirst("redis+unix://".count))
        } else if text.hasPrefix("rediss://") {
            try self.init(parsingHost: text.dropFirst("rediss://".count), isSecure: true)
        } else if text.hasPrefix("redis://") {
            try self.init(parsingHost: text.dropFirst("redis://".count), isSecure: false)
        } else {
            throw InvalidValue("expected \(expected)")
        }
    }

    private init(parsingHost text: Substring, isSecure: Bool) throws(InvalidValue) {
        let end = text.firstIndex(of: "/") ?? text.endIndex
        let (credential, rest) = try Self.split(text[..<end])
        let authority = try Authority(parsing: rest)
        guard authority.port != 0 else { throw InvalidValue("the port is not a number from 1 to 65535") }
        self.init(
            .host(authority.host.text, port: authority.port ?? Self.standardPort, isSecure: isSecure),
            user: credential?.user, password: credential?.password,
            database: try Self.database(text[end...].dropFirst()))
    }

    private init(parsingSocket text: Substring) throws(InvalidValue) {
        guard let slash = text.firstIndex(of: "/") else {
            throw InvalidValue("the socket needs an absolute path: write redis+unix:///run/redis/redis.sock")
        }
        let parts = text[slash...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var database = 0
        if parts.count == 2 {
            guard parts[1].hasPrefix("db="), parts[1].utf8.count > 3 else {
                throw InvalidValue("only ?db= and a number may follow the path of the socket")
            }
            database = try Self.database(parts[1].dropFirst("db=".count))
        }
        let (credential, rest) = try Self.split(text[..<slash])
        guard rest.isEmpty else {
            throw InvalidValue("a host before the path of the socket: write redis+unix:///run/redis/redis.sock")
        }
        self.init(
            .socket(try SocketPath.check(parts[0])), user: credential?.user, password: credential?.password,
            database: database)
    }

    /// Splits the text at the `@` into the credential and the rest.
    private static func split(
        _ text: Substring
    ) throws(InvalidValue) -> (credential: (user: String?, password: Secret)?, rest: Substring) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard let rest = parts.last, parts.count <= 2 else {
            throw InvalidValue("more than one '@': write %40 for one in a user or password")
        }
        guard parts.count == 2 else { return (nil, rest) }
        let words = parts[0].split(separator: ":", omittingEmptySubsequences: false)
        guard words.count == 2, !words[1].isEmpty else {
            throw InvalidValue("expected user:password or :password before the '@'; write %3A for a ':' in either")
        }
        let user = words[0].isEmpty ? nil : String(decoding: try PercentEncoding.octets(of: words[0]), as: UTF8.self)
        return ((user, Secret(try PercentEncoding.octets(of: words[1]))), rest)
    }

    private static func database(_ text: Substring) throws(InvalidValue) -> Int {
        if text.isEmpty { return 0 }
        guard let number = WholeNumber.digits(text.utf8), number <= 65_535, String(number) == text else {
            throw InvalidValue("the database is not a number from 0 to 65535")
        }
        return Int(number)
    }
}
