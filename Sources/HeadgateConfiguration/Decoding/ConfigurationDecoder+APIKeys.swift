extension ConfigurationDecoder {
    private static let maximumAPIKeys = 32

    /// The provider's keys, in the order of the file. Nothing of them is repeated anywhere.
    mutating func apiKeys(in fields: Fields) -> [Secret] {
        var keys: [Secret] = []
        if let entry = fields["api_key"] {
            let key = apiKey(entry.value, in: "api_key", at: fields.path.key("api_key"))
            if fields["api_keys"] != nil {
                issues.add("api_key: api_keys is there too: put the key into its list", at: entry.keyPosition)
            }
            if let key { keys.append(key) }
        }
        guard let entry = fields["api_keys"],
            let items = list(entry.value, place: "api_keys", of: "keys such as [\"${KEY_A}\", \"${KEY_B}\"]")
        else { return keys }
        if items.isEmpty {
            issues.add("api_keys: the list is empty: put a key into it, or remove it", at: entry.value.position)
        }
        if items.count > Self.maximumAPIKeys {
            issues.add(
                "api_keys: \(items.count) are too many: keep at most \(Self.maximumAPIKeys)", at: entry.keyPosition)
        }
        let path = fields.path.key("api_keys")
        var positions: [SourcePosition] = []
        var several: [Secret] = []
        for (index, item) in items.prefix(Self.maximumAPIKeys).enumerated() {
            guard let key = apiKey(item, in: "api_keys", at: path.item(index)) else { continue }
            if let first = several.firstIndex(of: key) {
                let place = "line \(positions[first].line), column \(positions[first].column)"
                issues.add("api_keys: the same key as at \(place): keep one of them", at: item.position)
                continue
            }
            several.append(key)
            positions.append(item.position)
        }
        return keys + several
    }

    private mutating func apiKey(_ node: YAMLNode, in place: String, at path: SettingPath) -> Secret? {
        secret(node, in: place, as: "a key such as \"${OPENAI_API_KEY}\"", at: path) { (text) throws(InvalidValue) in
            try Secret.parse(text)
        }
    }
}
