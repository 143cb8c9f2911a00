/// Scripts of streams that continue without their clients. Each stream has:
///
/// - a hash: its writer (`writer`), the end of the writer's lease (`alive`), its opening (`fields`, `dialect`,
///   `model`), the numbers of its last event and of the last dropped event (`last`, `dropped`), its end (`end`: 1 for
///   complete, 0 for broken), the time of the last read (`read`) and its last event (`had`), its lifetime (`ttl`,
///   milliseconds), the limit up to which readers can extend it after its end (`until`), and whether it was stopped
///   (`stopped`);
/// - a Redis stream with its events, each under its number.
extension RedisScript {
    /// Returns the two keys of a stream.
    ///
    /// - Parameter name: hexadecimal digits.
    static func streamKeys(_ name: String) -> [String] {
        ["headgate:stream:" + name, "headgate:stream:\(name):events"]
    }

    /// Seconds for which a writer or a reader counts as active after its last request.
    private static let streamLease = 10

    /// Adds events to a stream. Arguments: the writer, the number before the first event, the number of dropped events,
    /// `1` or `0` for the end or nothing, the lifetime, 1 with an opening (and then fields, dialect, 1 with a model,
    /// model), and the events.
    ///
    /// Returns `ok`, the last event read elsewhere or -1, and 1 for a stopped stream; or `unknown`, or `taken`.
    static let writeStreamText = """
        local seconds = tonumber(redis.call('TIME')[1])
        local known = redis.call('HMGET', KEYS[1], 'writer', 'last', 'dropped', 'end', 'alive', 'stopped')
        local last, gone = tonumber(known[2] or '0'), tonumber(known[3] or '0')
        local after, dropped, first = tonumber(ARGV[2]), tonumber(ARGV[3]), 7
        local function text(number) return string.format('%.0f', number) end
        if ARGV[6] == '1' then first = 11 end
        if known[1] ~= ARGV[1] then
          if known[1] and not known[4] and tonumber(known[5] or '0') >= seconds then return {'taken'} end
          if ARGV[6] ~= '1' then return {known[1] and 'taken' or 'unknown'} end
          redis.call('DEL', KEYS[1], KEYS[2])
          redis.call('HSET', KEYS[1], 'writer', ARGV[1], 'fields', ARGV[7], 'dialect', ARGV[8], 'ttl', ARGV[5])
          if ARGV[9] == '1' then redis.call('HSET', KEYS[1], 'model', ARGV[10]) end
          last, gone, known[6] = after, after, false
        end
        if after > last then
          redis.call('DEL', KEYS[2])
          last, gone = after, after
        end
        for i = first, #ARGV do
          after = after + 1
          if after > last then
            redis.call('XADD', KEYS[2], text(after) .. '-0', 'e', ARGV[i])
            last = after
          end
        end
        if dropped > gone then
          gone = math.min(dropped, last)
          redis.call('XTRIM', KEYS[2], 'MAXLEN', text(last - gone))
        end
        redis.call('HSET', KEYS[1], 'last', text(last), 'dropped', text(gone), 'alive', seconds + \(streamLease))
        local keep = tonumber(ARGV[5])
        if ARGV[4] ~= '' then
          redis.call('HSET', KEYS[1], 'end', ARGV[4])
          redis.call('HSETNX', KEYS[1], 'until', text(seconds + math.floor(keep / 500)))
        else
          keep = math.max(keep, 15000)
        end
        if known[6] then keep = math.min(keep, 60000) end
        redis.call('PEXPIRE', KEYS[1], text(keep))
        redis.call('PEXPIRE', KEYS[2], text(keep))
        local reader = redis.call('HMGET', KEYS[1], 'read', 'had')
        local had = -1
        if reader[1] and tonumber(reader[1]) + \(streamLease) >= seconds then had = tonumber(reader[2] or '0') end
        return {'ok', text(had), known[6] and 1 or 0}
        """

    /// Reads a stream. Arguments: the event after which to read, the maximum bytes of events, 1 for a reader that
    /// joins.
    ///
    /// Returns nothing if there is no such stream; otherwise the last event, the number of dropped events, the end or
    /// nothing, 1 for a living writer, the opening (a list of fields, dialect and optionally the model) and the events,
    /// up to the first one that the server has lost.
    static let readStreamText = """
        local seconds = tonumber(redis.call('TIME')[1])
        local known = redis.call('HMGET', KEYS[1], 'last', 'dropped', 'end', 'alive', 'stopped', 'had', 'ttl',
          'fields', 'dialect', 'model', 'until')
        local joins = ARGV[3] == '1'
        if not known[1] or (joins and known[5]) then return {} end
        local function text(number) return string.format('%.0f', number) end
        local after, most = tonumber(ARGV[1]), tonumber(ARGV[2])
        local last, dropped = tonumber(known[1]), tonumber(known[2])
        local events, size = {}, 0
        if after >= dropped then
          local from, follows = after + 1, true
          while follows and size < most do
            local part = redis.call('XRANGE', KEYS[2], text(from) .. '-0', '+', 'COUNT', 16)
            follows = #part > 0
            for _, entry in ipairs(part) do
              follows = follows and entry[1] == text(from) .. '-0'
              if not follows or size >= most then break end
              events[#events + 1] = entry[2][2]
              size = size + #entry[2][2]
              from = from + 1
            end
          end
        end
        if after <= last and not known[5] then
          redis.call('HSET', KEYS[1], 'read', seconds)
          if after > tonumber(known[6] or '-1') then redis.call('HSET', KEYS[1], 'had', text(after)) end
          local keep = math.min(tonumber(known[7]), (tonumber(known[11] or '0') - seconds) * 1000)
          if known[3] and keep > redis.call('PTTL', KEYS[1]) then
            redis.call('PEXPIRE', KEYS[1], text(keep))
            redis.call('PEXPIRE', KEYS[2], text(keep))
          end
        end
        local opening = {}
        if joins then
          opening = {known[8], known[9]}
          if known[10] then opening[3] = known[10] end
        end
        local lives = tonumber(known[4] or '0') >= seconds and 1 or 0
        return {text(last), text(dropped), known[3] or '', lives, opening, events}
        """

    /// Removes a stream, unless it belongs to another writer by now. Argument: the writer.
    static let forgetStreamText = """
        if redis.call('HGET', KEYS[1], 'writer') == ARGV[1] then redis.call('DEL', KEYS[1], KEYS[2]) end
        return 1
        """

    /// Stops a stream. Returns 1 for a stream that continues or is stored, and otherwise 0.
    static let stopStreamText = """
        local known = redis.call('HMGET', KEYS[1], 'writer', 'stopped')
        if not known[1] or known[2] then return 0 end
        redis.call('HSET', KEYS[1], 'stopped', '1')
        redis.call('PEXPIRE', KEYS[1], 60000)
        redis.call('PEXPIRE', KEYS[2], 60000)
        return 1
        """
}
