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
