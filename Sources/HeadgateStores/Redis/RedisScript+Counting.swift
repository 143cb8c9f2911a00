/// Two scripts for counting. Each subject has one hash with these fields:
///
/// - `r` and a slot: the instant from which the whole burst of that rate is available, in sixteenths of microseconds
///   since 2026, which a Lua number holds exactly until 2043;
/// - `f` and an incarnation: its requests in flight;
/// - `w` and `s` and a budget: the start of its window, and the usage in it, which only the server sums up, in 64 bits;
/// - `v`, an incarnation and a budget: the reservations of its requests in flight.
///
/// Counts of dead incarnations are ignored, and deleted.
extension RedisScript {
    /// Takes everything that a request needs, or nothing. Arguments: the incarnation, and for each key its lifetime in
    /// milliseconds, the number of rates, and for each rate its slot, the cost, the room and the minimum already taken;
    /// 1 for a counted request, the limit in flight or -1; a budget or nothing, and for a budget the start of its
    /// window, the amount, the reservation, the minimum already used, and the usage that was not sent to the server.
    ///
    /// Returns 1 or 0, and for each key the time until each rate is fully available, the number of requests in flight
    /// before, and the usage, reservation and window of its budget.
    static let takeText = """
        local time = redis.call('TIME')
        local seconds = tonumber(time[1])
        local now = ((seconds - 1767225600) * 1000000 + tonumber(time[2])) * 16
        local me = ARGV[1]
        local living = {}
        for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], seconds, '+inf')) do living[id] = true end
        if not living[me] then return redis.error_reply('LAPSED the gateway was not heard of in time') end
        local at = 1
        local function argument() at = at + 1; return ARGV[at] end
        local admitted, reply, changes = 1, {}, {}
        for i = 2, #KEYS do
          local key, stored, inFlight, reserved, dead = KEYS[i], {}, 0, {}, {}
          local fields = redis.call('HGETALL', key)
          for j = 1, #fields, 2 do
            local field, value = fields[j], fields[j + 1]
            local kind, id = string.sub(field, 1, 1), string.sub(field, 2, 17)
            if kind ~= 'f' and kind ~= 'v' then stored[field] = value
            elseif not living[id] then dead[#dead + 1] = field
            elseif kind == 'f' then inFlight = inFlight + tonumber(value)
            else
              local budget = string.sub(field, 18)
              reserved[budget] = (reserved[budget] or 0) + tonumber(value)
            end
          end
          if #dead > 0 then redis.call('HDEL', key, unpack(dead, 1, math.min(#dead, 1000))) end
          local change = {key = key, keep = tonumber(argument()), rates = {}}
          for r = 1, tonumber(argument()) do
            local slot = 'r' .. argument()
            local cost, room, seed = tonumber(argument()), tonumber(argument()), tonumber(argument())
            local ahead = math.max(tonumber(stored[slot] or '0') - now, 0)
            if seed > ahead then
              ahead = seed
              redis.call('HSET', key, slot, string.format('%.0f', now + ahead))
            end
            if ahead + cost > room then admitted = 0 end
            reply[#reply + 1] = ahead
            change.rates[r] = {slot = slot, cost = cost, ahead = ahead, place = #reply}
            change.keep = math.max(change.keep, math.floor((ahead + cost) / 16000))
          end
          change.isCounted = argument() == '1'
          local limit = tonumber(argument())
          if change.isCounted and limit >= 0 and inFlight >= limit then admitted = 0 end
          reply[#reply + 1] = inFlight
          local budget = argument()
          if budget ~= '' then
            local start, amount, reserve = tonumber(argument()), argument(), argument()
            local seed, more = argument(), argument()
            local window, spent = tonumber(stored['w' .. budget] or '0'), stored['s' .. budget] or '0'
            if start > window and (window == 0 or start <= seconds + 60) then
              window, spent = start, tonumber(more) > tonumber(seed) and more or seed
              redis.call('HSET', key, 'w' .. budget, string.format('%.0f', window), 's' .. budget, spent)
            elseif start == window then
              if tonumber(seed) > tonumber(spent) + tonumber(more) then
                spent = seed
                redis.call('HSET', key, 's' .. budget, spent)
              elseif more ~= '0' and tonumber(spent) + tonumber(more) < 9e18 then
                redis.call('HINCRBY', key, 's' .. budget, more)
                spent = redis.call('HGET', key, 's' .. budget)
              end
            end
            local waiting = reserved[budget] or 0
            if tonumber(spent) + waiting >= tonumber(amount) then admitted = 0 end
            reply[#reply + 1] = spent
            reply[#reply + 1] = string.format('%.0f', waiting)
            reply[#reply + 1] = window
            change.budget, change.reserve = budget, reserve
          end
          changes[#changes + 1] = change
        end
        for _, change in ipairs(changes) do
          local key = change.key
          if admitted == 1 then
            for _, rate in ipairs(change.rates) do
              if rate.cost > 0 then
                reply[rate.place] = rate.ahead + rate.cost
                redis.call('HSET', key, rate.slot, string.format('%.0f', now + rate.ahead + rate.cost))
              end
            end
            if change.isCounted then redis.call('HINCRBY', key, 'f' .. me, 1) end
            if change.reserve and change.reserve ~= '0' then
              redis.call('HINCRBY', key, 'v' .. me .. change.budget, change.reserve)
            end
          end
          redis.call('PEXPIRE', key, string.format('%.0f', change.keep))
        end
        return {admitted, reply}
        """

    /// Settles a request's lease. Arguments: the incarnation, and for each key its lifetime, the number of rates, and
    /// for each rate its slot and the usage beyond the cost taken; 1 for a counted request; a budget or nothing, and
    /// for a budget the start of its window, the usage and the reservation.
    static let settleText = """
        local time = redis.call('TIME')
        local seconds = tonumber(time[1])
        local now = ((seconds - 1767225600) * 1000000 + tonumber(time[2])) * 16
        local me = ARGV[1]
        local lives = tonumber(redis.call('ZSCORE', KEYS[1], me) or '0') >= seconds
        local at = 1
        local function argument() at = at + 1; return ARGV[at] end
        local function giveBack(key, field, count)
          if tonumber(redis.call('HINCRBY', key, field, '-' .. count)) <= 0 then redis.call('HDEL', key, field) end
        end
        for i = 2, #KEYS do
          local key = KEYS[i]
          local keep = tonumber(argument())
          for r = 1, tonumber(argument()) do
            local slot, change = 'r' .. argument(), tonumber(argument())
            local full = math.max(tonumber(redis.call('HGET', key, slot) or '0'), now)
            full = math.max(full + change, now)
            redis.call('HSET', key, slot, string.format('%.0f', full))
            keep = math.max(keep, math.floor((full - now) / 16000))
          end
          if argument() == '1' and lives then giveBack(key, 'f' .. me, '1') end
          local budget = argument()
          if budget ~= '' then
            local start, used, reserve = tonumber(argument()), argument(), argument()
            if lives and reserve ~= '0' then giveBack(key, 'v' .. me .. budget, reserve) end
            local window = tonumber(redis.call('HGET', key, 'w' .. budget) or '0')
            if start > window and (window == 0 or start <= seconds + 60) then
              redis.call('HSET', key, 'w' .. budget, string.format('%.0f', start), 's' .. budget, used)
            elseif used ~= '0' and tonumber(redis.call('HGET', key, 's' .. budget) or '0') + tonumber(used) < 9e18 then
              redis.call('HINCRBY', key, 's' .. budget, used)
            end
          end
          redis.call('PEXPIRE', key, string.format('%.0f', math.max(keep, redis.call('PTTL', key))))
        end
        return 1
        """
}
