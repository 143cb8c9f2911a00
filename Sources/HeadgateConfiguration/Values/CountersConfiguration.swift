/// Where limits and budgets are counted.
package enum CountersConfiguration: Sendable, Equatable {
    /// In each gateway by itself.
    case memory
    /// In one place for several gateways.
    case redis(RedisLocation)

    static let expected =
        "memory, redis://HOST, rediss://HOST or redis+unix:///PATH, with [:PORT] and [/DATABASE] after a host and "
        + "[?db=DATABASE] after a path"

    static func parse(_ text: String) throws(InvalidValue) -> CountersConfiguration {
        text == "memory" ? .memory : .redis(try RedisLocation(parsing: text))
    }
}
