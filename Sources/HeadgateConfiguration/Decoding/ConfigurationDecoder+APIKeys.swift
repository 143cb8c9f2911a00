extension ConfigurationDecoder {
    private static let maximumAPIKeys = 32

    /// Reads the provider's keys in the order of the file. Issues and settings never repeat them.
    mutating func apiKeys(in fields: Fields) -> [Secret] {
        var keys: [Secret] = []
        if let entry = fields["api_key"], !entry.value.isKeyCommand {
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

// MARK: Keys from a command

extension ConfigurationDecoder {
    /// Reads the program that prints the key of an upstream; nil if the key comes from elsewhere.
    mutating func keyCommand(in fields: Fields) -> KeyCommandConfiguration? {
        guard let entry = fields["api_key"], entry.value.isKeyCommand else { return nil }
        if fields["api_keys"] != nil {
            issues.add("api_key: a command takes the place of all keys: remove api_keys", at: entry.keyPosition)
        }
        let path = fields.path.key("api_key")
        guard let fields = self.fields(of: entry.value, as: .keyCommand, at: path, in: "api_key") else { return nil }
        if fields.lacks("command") {
            issues.add("api_key has no command: add command: [program, argument]", at: entry.keyPosition)
        }
        guard let run = fields["command"] else { return nil }
        // The summary is recorded before its details.
        let origin = origin(of: entry.value)
        settings?.record(path, "", origin: origin)
        let arguments = arguments(run.value, at: path.key("command")) ?? []
        if let program = arguments.first { settings?.show("from command \(program)", at: path) }
        let every = value("every", of: fields, as: DurationText.expectedSeconds) { (text) throws(InvalidValue) in
            try DurationText.parseSeconds(text)
        }
        let timeout = value("timeout", of: fields, as: Self.expectedKeyTimeout) { (text) throws(InvalidValue) in
            guard let timeout = try? DurationText.parse(text), timeout <= .seconds(300) else {
                throw InvalidValue("expected \(Self.expectedKeyTimeout)")
            }
            return timeout
        }
        return KeyCommandConfiguration(
            arguments: arguments, environment: keyVariables(in: fields), every: every,
            timeout: timeout ?? .seconds(10))
    }

    private static let expectedKeyTimeout = "a duration such as 10s or 1m (above zero, at most 5m)"

    /// Reads variables with values, or names of variables of the gateway's environment.
    private mutating func keyVariables(in fields: Fields) -> [CommandConfiguration.Variable] {
        guard let entry = fields["env"], case .sequence = entry.value.content else { return variables(in: fields) }
        let names = values(
            "env", of: fields, list: "names of variables", each: "the name of a variable"
        ) { (text) throws(InvalidValue) in text }
        return (names ?? []).compactMap { name in
            guard let value = environment[name] else {
                warnings.add("api_key: env: the variable \(quoted(name)) is not set", at: entry.value.position)
                return nil
            }
            return CommandConfiguration.Variable(name: name, value: Secret(value))
        }
    }
}

extension YAMLNode {
    /// Whether the value of an `api_key` is a command, even if a key in it is misspelled.
    fileprivate var isKeyCommand: Bool {
        guard case .mapping(let entries) = content else { return false }
        return entries.contains { nearest($0.key, in: MappingDeclaration.keyCommand.names) != nil }
    }
}
