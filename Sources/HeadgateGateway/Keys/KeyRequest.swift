internal import HeadgateConfiguration
internal import HeadgateDialects
internal import HeadgateRelay

/// What a request brings to make or change a key.
enum KeyRequest {
    /// Octets of a body.
    static let limit = 64 << 10

    static func object(_ body: [UInt8]) throws(GatewayError) -> JSONObject {
        // Who has nothing to say may send nothing.
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

    /// The name of a new key, and its settings.
    ///
    /// - Parameters:
    ///   - groups: the names of the configured ones.
    ///   - hasLedger: whether it is kept what requests use.
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
            // Whatever the digest will be.
            let key = try KeySettings(settings).configuration(
                name: name, digest: KeyDigest(of: name.utf8), groups: groups)
            if key.needsLedger, !hasLedger { throw KeySettingsError.needsLedger }
            if let expires = key.expires, expires <= now {
                throw KeySettingsError(setting: "expires", message: "'expires' is over already")
            }
        } catch {
            throw .invalidKeySetting(error.setting, error.message)
        }
        return (name, KeySettings(settings))
    }

    /// For how many seconds the present key is accepted after a rotation.
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

/// How long a key that was rotated away is accepted.
package enum KeyGrace {
    package static let expected = "a time such as 30m, 12h or 7d"

    /// Until when the former key is accepted, in seconds since 1970: never for less than it was granted.
    ///
    /// - Parameters:
    ///   - grace: in seconds; 0 ends it at once.
    ///   - now: nanoseconds since 1970.
    package static func end(of grace: Int64, at now: Int64) -> Int64 {
        (grace == 0 ? now : now + 999_999_999) / 1_000_000_000 + grace
    }

    /// - Parameter text: digits and `s`, `m`, `h` or `d`, up to 9999 of them.
    package static func seconds(_ text: String) -> Int64? {
        let digits = text.utf8.dropLast()
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let last = text.last, let unit = units[last], (1...4).contains(digits.count), digits.first != 0x30,
            digits.allSatisfy({ $0 &- 0x30 < 10 }), let count = Int64(text.dropLast())
        else { return nil }
        return count * unit
    }
}
