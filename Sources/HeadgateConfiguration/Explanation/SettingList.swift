/// The values that decoding arrived at, in the order in which it did.
struct SettingList {
    static let standardOrigin = "default"

    private(set) var settings: [EffectiveSetting] = []
    private var indices: [String: Int] = [:]

    mutating func record(_ path: SettingPath, _ value: String, origin: String) {
        indices[path.text] = settings.count
        settings.append(EffectiveSetting(path: path.text, value: value, origin: origin))
    }

    /// Changes how a recorded value reads.
    mutating func show(_ value: String, at path: SettingPath) {
        guard let index = indices[path.text] else { return }
        settings[index] = EffectiveSetting(path: path.text, value: value, origin: settings[index].origin)
    }

    /// Records what is recorded at another path, which is where the value came from.
    mutating func inherit(_ path: SettingPath, from source: SettingPath) {
        guard let index = indices[source.text] else { return }
        record(path, settings[index].value, origin: settings[index].origin)
    }
}

/// A list as it is printed.
func listText(_ items: [String]) -> String {
    "[\(items.joined(separator: ", "))]"
}

extension Configuration {
    /// Every value that the gateway would work with, defaults too, in a stable order; without a path, the
    /// configuration of ``fromEnvironment(_:)``. The values are recorded while they are decoded.
    package static func explain(
        path: String?, environment: [String: String]
    ) throws(ConfigurationError) -> [EffectiveSetting] {
        guard let path else { return try decode(nil, file: "", environment: environment, settings: .init()).settings }
        return try decode(try read(path: path), file: path, environment: environment, settings: .init()).settings
    }
}

/// One effective value and its origin, for people to read.
package struct EffectiveSetting: Sendable, Equatable {
    /// Such as `upstreams.openai.base_url` or `listen[0].address`.
    package let path: String
    /// `<redacted>` for keys and header values.
    package let value: String
    /// `headgate.yaml:12`, `environment NAME`, `environment NAME (headgate.yaml:12)`,
    /// `file /run/secrets/key (headgate.yaml:9)`, `credential NAME (headgate.yaml:9)` or `default`.
    package let origin: String
}

/// The way from the root of a configuration to one of its values, as it is printed.
struct SettingPath {
    static let root = SettingPath(text: "")

    let text: String

    func key(_ name: String) -> SettingPath {
        let isPlain = name.utf8.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
        }
        let step = isPlain ? name : "\"\(escaped(name))\""
        return SettingPath(text: text.isEmpty ? step : "\(text).\(step)")
    }

    func appending(_ rest: SettingPath) -> SettingPath {
        SettingPath(text: text.isEmpty ? rest.text : "\(text).\(rest.text)")
    }

    func item(_ index: Int) -> SettingPath {
        SettingPath(text: "\(text)[\(index)]")
    }
}
