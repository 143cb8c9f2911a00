/// Script with which gateways share the cooldowns of their upstreams. One sorted set has an entry for each gateway and
/// target, whose score is the end of the gateway's own cooldown in milliseconds since 2026.
extension RedisScript {
    static let breakers = "headgate:breakers"

    /// Maximum number of entries, returned and stored.
    private static let mostHints = 4096

    /// Replaces the hints of one gateway, and returns those of the others. Arguments: the gateway, and for each target
    /// its name and the milliseconds until its cooldown ends.
    static let exchangeHintsText = """
        local time = redis.call('TIME')
        local now = (tonumber(time[1]) - 1767225600) * 1000 + math.floor(tonumber(time[2]) / 1000)
        local key, me, mine = KEYS[1], ARGV[1], {}
        local function text(number) return string.format('%.0f', number) end
        redis.call('ZREMRANGEBYSCORE', key, '-inf', text(now))
        for i = 2, #ARGV - 1, 2 do mine[me .. ARGV[i]] = now + tonumber(ARGV[i + 1]) end
        local others = {}
        local all = redis.call('ZRANGE', key, 0, \(mostHints - 1), 'WITHSCORES')
        for i = 1, #all, 2 do
          if string.sub(all[i], 1, #me) ~= me then
            others[#others + 1] = string.sub(all[i], #me + 1)
            others[#others + 1] = text(tonumber(all[i + 1]) - now)
          elseif not mine[all[i]] then
            redis.call('ZREM', key, all[i])
          end
        end
        for member, score in pairs(mine) do
          redis.call('ZADD', key, text(score), member)
          redis.call('EXPIRE', key, 86400)
        end
        return others
        """
}
