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
