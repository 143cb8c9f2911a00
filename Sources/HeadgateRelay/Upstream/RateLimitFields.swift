internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgatePrimitives

/// Rate limit headers of upstreams. Numbers, durations and dates are forwarded; any other text from an upstream is
/// never forwarded without redaction.
enum RateLimitFields {
    private static let maximumCount = 16
    private static let maximumLength = 64

    static func passed(_ fields: HeadFields) -> HTTPFields {
        let named = fields.all { isRateLimit($0, "x-ratelimit-") || isRateLimit($0, "anthropic-ratelimit-") }
        if named.isEmpty { return named }
        var passed: HTTPFields = [:]
        for field in named where field.name.canonicalName.utf8.count <= maximumLength && isValue(field.value) {
            if passed.count == maximumCount { break }
            passed.append(field)
        }
        return passed
    }

    private static func isRateLimit(_ name: UnsafeRawBufferPointer, _ prefix: StaticString) -> Bool {
        guard name.count > prefix.utf8CodeUnitCount else { return false }
        // Setting bit 0x20 lowercases letters and is harmless for the other bytes of names.
        for index in 0..<prefix.utf8CodeUnitCount where name[index] | 0x20 != prefix.utf8Start[index] { return false }
        return true
    }

    /// Returns whether the value is a number, a duration such as `6m0s`, or a date.
    static func isValue(_ value: String) -> Bool {
        guard (1...maximumLength).contains(value.utf8.count) else { return false }
        return isNumberOrDuration(value.utf8[...]) || isDateTime(Array(value.utf8)) || HTTPDate.seconds(value) != nil
    }

    /// Returns whether the text is a number, or a duration in Go's format of numbers with units.
    private static func isNumberOrDuration(_ text: Substring.UTF8View) -> Bool {
        var rest = text
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        var parts = 0
        while !rest.isEmpty {
            let digits = rest.prefix(while: isDigit)
            // 20 digits are more than any count needs and fewer than a key has.
            guard (1...20).contains(digits.count) else { return false }
            rest = rest.dropFirst(digits.count)
            if rest.first == UInt8(ascii: ".") {
                let fraction = rest.dropFirst().prefix(while: isDigit)
                guard (1...20).contains(fraction.count) else { return false }
                rest = rest.dropFirst(1 + fraction.count)
            }
            let unit = rest.prefix { !isDigit($0) }
            if unit.isEmpty { return parts == 0 }
            guard units.contains(where: { $0.utf8.elementsEqual(unit) }) else { return false }
            rest = rest.dropFirst(unit.count)
            parts += 1
        }
        return parts > 0
    }

    private static let units = ["ns", "us", "µs", "ms", "s", "m", "h", "d"]

    /// Returns whether the bytes are an RFC 3339 time in UTC, such as `2026-11-21T00:00:00Z`. A fraction is optional;
    /// the zone is `Z` or a zero offset.
    private static func isDateTime(_ bytes: [UInt8]) -> Bool {
        guard has(bytes.prefix(19), "0000-00-00T00:00:00") else { return false }
        var zone = bytes.dropFirst(19)
        if zone.first == UInt8(ascii: ".") {
            let fraction = zone.dropFirst().prefix(while: isDigit)
            guard (1...9).contains(fraction.count) else { return false }
            zone = zone.dropFirst(1 + fraction.count)
        }
        return has(zone, "Z") || has(zone, "+00:00") || has(zone, "-00:00")
    }

    /// Returns whether the bytes match the pattern, in which `0` matches any digit.
    private static func has(_ bytes: ArraySlice<UInt8>, _ pattern: StaticString) -> Bool {
        bytes.count == pattern.utf8CodeUnitCount
            && zip(bytes, 0..<pattern.utf8CodeUnitCount).allSatisfy { byte, index in
                let form = pattern.utf8Start[index]
                return form == UInt8(ascii: "0") ? isDigit(byte) : byte == form
            }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
