internal import HeadgatePrimitives

/// An error in the settings of a managed key.
package struct KeySettingsError: Error, Equatable, CustomStringConvertible {
    /// The setting, such as `limits`.
    package let setting: String
    /// The problem and its remedy. Contains no secret.
    package let message: String

    package init(setting: String, message: String) {
        self.setting = setting
        self.message = message
    }

    package var description: String { message }
}

extension KeyConfiguration {
    /// Settings that cannot be chosen, because they identify the key: its name and digest.
    private static let identifying = ["name", "sha256"]

    /// Reads settings by the same rules as those of a key in a file.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 digest of 32 bytes.
    ///   - settings: All settings except the name and the digest.
    ///   - groups: Names of the configured groups; nil to accept every name.
    package init(
        name: String, digest: [UInt8], settings: [SettingValue.Member], groups: [String]?
    ) throws(KeySettingsError) {
        // One of two equal names would be lost silently.
        if let path = SettingValue.mapping(settings).repetition(at: "") {
            throw KeySettingsError(setting: path, message: "'\(path)' stands twice: keep one of them")
        }
        for setting in settings {
            guard !KeyConfiguration.identifying.contains(where: setting.name.isExactly) else {
                throw KeySettingsError(setting: setting.name, message: "'\(setting.name)' cannot be set")
            }
            if let form = MappingDeclaration.key[setting.name]?.form,
                let (path, expectation) = form.mismatch(of: setting.value, at: setting.name)
            {
                throw KeySettingsError(setting: path, message: "'\(path)' must be \(expectation)")
            }
        }
        let hexadecimal = digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let own = [SettingValue.Member("name", .text(name)), SettingValue.Member("sha256", .text(hexadecimal))]
        self = try KeyConfiguration.decoded(own + settings, groups)
    }

    private static func decoded(
        _ members: [SettingValue.Member], _ groups: [String]?
    ) throws(KeySettingsError) -> KeyConfiguration {
        // Each setting has its own line, by which an issue is attributed to it.
        let entries = members.enumerated().map { index, member in
            let position = SourcePosition(line: index + 1, column: 1)
            return YAMLEntry(key: member.name, keyPosition: position, value: member.value.node(at: position))
        }
        let start = SourcePosition(line: 1, column: 1)
        let keys = YAMLNode(.sequence([YAMLNode(.mapping(entries), at: start)]), at: start)
        let file = YAMLNode(.mapping([YAMLEntry(key: "keys", keyPosition: start, value: keys)]), at: start)
        var decoder = ConfigurationDecoder(environment: [:], issues: IssueList(file: "key"))
        let fields = decoder.fields(of: file, as: .file, at: .root, in: "a key")
        let key = fields.flatMap { decoder.keys(in: $0, groups: groups).first }
        guard let key, decoder.issues.isEmpty else {
            let issue = decoder.issues.sorted.first
            let line = issue?.position?.line ?? 1
            throw KeySettingsError(
                setting: members.indices.contains(line - 1) ? members[line - 1].name : "",
                message: issue?.message ?? "the settings cannot be read")
        }
        return key
    }
}
