package import HeadgateConfiguration
internal import HeadgateDialects
internal import HeadgatePrimitives
package import HeadgateRelay

/// Settings of a managed key: a JSON object with the settings of a key in a configuration.
package struct KeySettings: Sendable {
    let members: JSONObject

    init(_ members: JSONObject) { self.members = members }

    /// - Parameter text: text in the form of ``text``. If it is not a JSON object,
    ///   ``configuration(name:digest:groups:)`` fails.
    package init(_ text: String) {
        members = (try? JSONValue(Array(text.utf8)))?.object ?? ["?": nil]
    }

    /// Text of the settings' JSON object.
    package var text: String { String(decoding: JSONValue.object(members).bytes, as: UTF8.self) }

    /// Returns the configuration of the key.
    ///
    /// - Parameter groups: names of the configured groups; nil to accept every name.
    /// - Throws: ``KeySettingsError`` if a setting is invalid.
    package func configuration(
        name: String, digest: KeyDigest, groups: [String]?
    ) throws(KeySettingsError) -> KeyConfiguration {
        // A gateway without keys uses this name for the key that it generates.
        guard !name.isExactly("generated") else {
            throw KeySettingsError(setting: "name", message: "the gateway's own key has the name 'generated'")
        }
        return try KeyConfiguration(
            name: name, digest: digest.bytes, settings: members.members.map { .init($0.name, SettingValue($0.value)) },
            groups: groups)
    }
}

extension KeyConfiguration {
    /// Whether the key's requests are refused if the gateway has no ledger.
    package var needsLedger: Bool { budget?.isStrict ?? false }
}

extension KeySettingsError {
    package static let needsLedger = KeySettingsError(
        setting: "budget",
        message: "budget: strict: true needs a ledger, and the gateway keeps none: all requests of the key would be "
            + "refused")
}

extension SettingValue {
    fileprivate init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .flag(value)
        // JSON can write an integer with a fraction of zeros.
        case .number(let text): self = .number(value.integer.map(String.init) ?? text)
        case .string(let text): self = .text(text)
        case .array(let elements): self = .list(elements.map(SettingValue.init))
        case .object(let object): self = .mapping(object.members.map { .init($0.name, SettingValue($0.value)) })
        }
    }
}

/// Rules for the names of managed keys, which appear in paths, tables and command lines.
package enum ManagedKeyName {
    package static let expected = "1 to 64 letters, digits, '.', '_' and '-', of which the first is a letter or a digit"

    package static func isValid(_ name: String) -> Bool {
        guard let first = name.utf8.first, isAlphanumeric(first), name.utf8.count <= 64 else { return false }
        return name.utf8.allSatisfy { isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }
}

/// Generator of client keys.
package enum NewKey {
    /// Generates a key: `hg-` and 32 random bytes in base64url.
    package static func make() -> String {
        // The system's generator is cryptographically secure.
        var random = SystemRandomNumberGenerator()
        return "hg-" + base64URL((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private static func base64URL(_ octets: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var output: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for octet in octets {
            bits = bits << 8 | UInt32(octet)
            count += 8
            while count >= 6 {
                count -= 6
                output.append(alphabet[Int(bits >> UInt32(count)) & 63])
            }
        }
        if count > 0 { output.append(alphabet[Int(bits << UInt32(6 - count)) & 63]) }
        return String(decoding: output, as: UTF8.self)
    }
}
