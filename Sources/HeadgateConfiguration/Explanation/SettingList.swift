/// Decoded values with their origins, in the order of decoding.
struct SettingList {
    static let standardOrigin = "default"

    private(set) var settings: [EffectiveSetting] = []
    private var indices: [String: Int] = [:]

    mutating func record(_ path: SettingPath, _ value: String, origin: String) {
        indices[path.text] = settings.count
        settings.append(EffectiveSetting(path: path.text, value: value, origin: origin))
    }

    /// Changes the displayed text of a recorded value.
    mutating func show(_ value: String, at path: SettingPath) {
        guard let index = indices[path.text] else { return }
        settings[index] = EffectiveSetting(path: path.text, value: value, origin: settings[index].origin)
    }

    /// Records a value and its origin from another path, from which it is inherited.
    mutating func inherit(_ path: SettingPath, from source: SettingPath) {
        guard let index = indices[source.text] else { return }
        record(path, settings[index].value, origin: settings[index].origin)
    }
}

/// Returns a list as it is printed.
func listText(_ items: [String]) -> String {
    "[\(items.joined(separator: ", "))]"
}

extension Configuration {
    /// Returns every value that the gateway would use, including defaults, in a stable order. Without a path, returns
    /// those of ``fromEnvironment(_:)``. The values are recorded while they are decoded.
    package static func explain(
        path: String?, environment: [String: String]
    ) throws(ConfigurationError) -> [EffectiveSetting] {
        guard let path else { return try decode(nil, file: "", environment: environment, settings: .init()).settings }
        return try decode(try read(path: path), file: path, environment: environment, settings: .init()).settings
    }
}

/// One effective value and its origin, for display.
package struct EffectiveSetting: Sendable, Equatable {
    /// Path such as `upstreams.openai.base_url` or `listen[0].address`.
    package let path: String
    /// Text of the value; `<redacted>` for keys and header values.
    package let value: String
    /// Origin of the value: `headgate.yaml:12`, `environment NAME`, `environment NAME (headgate.yaml:12)`,
    /// `file /run/secrets/key (headgate.yaml:9)`, `credential NAME (headgate.yaml:9)` or `default`.
    package let origin: String
}

/// Path from the root of a configuration to one of its values, as it is printed.
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
