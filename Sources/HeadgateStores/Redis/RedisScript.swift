/// Scripts that the server runs atomically.
///
/// Replicas and files receive the effects of a script, not the script, so scripts can read the clock (Redis 5 and
/// later).
enum RedisScript: String, CaseIterable {
    case take
    case settle
    case stay
    case writeStream
    case readStream
    case stopStream
    case forgetStream
    case exchangeHints

    var text: String {
        switch self {
        case .take: RedisScript.takeText
        case .settle: RedisScript.settleText
        case .stay: RedisScript.stayText
        case .writeStream: RedisScript.writeStreamText
        case .readStream: RedisScript.readStreamText
        case .stopStream: RedisScript.stopStreamText
        case .forgetStream: RedisScript.forgetStreamText
        case .exchangeHints: RedisScript.exchangeHintsText
        }
    }

    static let gateways = "headgate:gateways"
    static let epoch = "headgate:epoch"

    /// Returns the key of a subject. Its name comes last, so that no name can form another key.
    static func key(of subject: String) -> String { "headgate:use:" + subject }

    /// Registers a new incarnation, extends former ones, and returns the identity of the server's memory.
    ///
    /// Scores of the set are the ends of incarnations, in seconds.
    static let greeting = """
        local seconds = tonumber(redis.call('TIME')[1])
        for i = 2, #ARGV do redis.call('ZADD', KEYS[1], seconds + \(lifetime), ARGV[i]) end
        redis.call('SET', KEYS[2], ARGV[1], 'NX')
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', seconds - 60)
        redis.call('EXPIRE', KEYS[1], 2678400)
        redis.call('EXPIRE', KEYS[2], 2678400)
        return redis.call('GET', KEYS[2])
        """

    /// Seconds for which an incarnation lives after a heartbeat.
    private static let lifetime = 10

    /// Extends incarnations, of which the first must not have lapsed.
    private static let stayText = """
        local seconds = tonumber(redis.call('TIME')[1])
        if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or '0') < seconds then
          return redis.error_reply('LAPSED the gateway was not heard of in time')
        end
        for i = 1, #ARGV do redis.call('ZADD', KEYS[1], seconds + \(lifetime), ARGV[i]) end
        redis.call('EXPIRE', KEYS[1], 2678400)
        redis.call('EXPIRE', KEYS[2], 2678400)
        return 1
        """
}
