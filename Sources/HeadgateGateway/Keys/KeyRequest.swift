internal import HeadgateConfiguration
internal import HeadgateDialects
internal import HeadgateRelay

/// Readers of the request bodies that make or rotate a key.
enum KeyRequest {
    /// Maximum size of a body in bytes.
    static let limit = 64 << 10

    static func object(_ body: [UInt8]) throws(GatewayError) -> JSONObject {
        // An empty body counts as an empty object.
        if body.isEmpty { return JSONObject() }
        guard let object = (try? JSONValue(body))?.object else {
            throw .invalidRequest(400, "The request body is not a JSON object.", code: "invalid_json")
        }
        var names: Set<String> = []
        for member in object.members where !names.insert(member.name).inserted {
            throw .invalidKeySetting(member.name, "The member '\(ShownName.text(member.name))' stands twice.")
        }
        return object
    }

    /// Reads the name and the settings of a new key.
    ///
    /// - Parameters:
    ///   - groups: names of the configured groups.
    ///   - hasLedger: whether the gateway has a ledger.
    ///   - now: seconds since 1970.
    static func addition(
        _ object: JSONObject, groups: [String], hasLedger: Bool, at now: Int64
    ) throws(GatewayError) -> (name: String, settings: KeySettings) {
        var settings = object
        guard let name = object["name"] else {
            throw .invalidRequest(400, "The member 'name' is missing.", code: "missing_member", parameter: "name")
        }
        guard let name = name.string, ManagedKeyName.isValid(name) else {
            throw .invalidKeySetting("name", "'name' must be \(ManagedKeyName.expected).")
        }
        settings["name"] = nil
        do throws(KeySettingsError) {
            // The validity of settings does not depend on the digest, so any digest works here.
            let key = try KeySettings(settings).configuration(
                name: name, digest: KeyDigest(of: name.utf8), groups: groups)
            if key.needsLedger, !hasLedger { throw KeySettingsError.needsLedger }
            if let expires = key.expires, expires <= now {
                throw KeySettingsError(setting: "expires", message: "'expires' is in the past")
            }
        } catch {
            throw .invalidKeySetting(error.setting, error.message)
        }
        return (name, KeySettings(settings))
    }

    /// Reads the number of seconds for which the current key remains accepted after a rotation.
    static func grace(_ object: JSONObject) throws(GatewayError) -> Int64 {
        for member in object.members where member.name != "grace" {
            throw .invalidKeySetting(member.name, "A rotation takes 'grace' and nothing else.")
        }
        guard let value = object["grace"] else { return 0 }
        guard let grace = value.string.flatMap(KeyGrace.seconds) else {
            throw .invalidKeySetting("grace", "'grace' must be \(KeyGrace.expected).")
        }
        return grace
    }
}

/// Grace period of a rotation, in which the former key is still accepted.
package enum KeyGrace {
    package static let expected = "a time such as 30m, 12h or 7d"

    /// Returns the end of a grace period in seconds since 1970, rounded up so that the period is never shortened.
    ///
    /// - Parameters:
    ///   - grace: seconds; 0 ends the former key at once.
    ///   - now: nanoseconds since 1970.
    package static func end(of grace: Int64, at now: Int64) -> Int64 {
        (grace == 0 ? now : now + 999_999_999) / 1_000_000_000 + grace
    }

    /// Parses a grace period; nil if the text is invalid.
    ///
    /// - Parameter text: a number from 1 to 9999, followed by `s`, `m`, `h` or `d`.
    package static func seconds(_ text: String) -> Int64? {
        let digits = text.utf8.dropLast()
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let last = text.last, let unit = units[last], (1...4).contains(digits.count), digits.first != 0x30,
            digits.allSatisfy({ $0 &- 0x30 < 10 }), let count = Int64(text.dropLast())
        else { return nil }
        return count * unit
    }
}
