extension ConfigurationDecoder {
    /// Reads a secret: a scalar, `{file: path}` or `{credential: name}`. Issues and settings never repeat it.
    mutating func secret<Value>(
        _ node: YAMLNode, in place: String, as expectation: String, at path: SettingPath,
        _ parse: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        guard case .mapping = node.content else {
            return decode(
                node, in: place, as: "\(expectation), {file: PATH} or {credential: NAME}", echo: .nothing, at: path,
                parse)
        }
        guard let fields = fields(of: node, as: .secret, at: path, in: place) else { return nil }
        switch (fields["file"], fields["credential"]) {
        case (let file?, nil):
            return storedSecret(
                file, as: SecretFile.expectedPath, at: path,
                locate: { (path) throws(InvalidValue) in
                    try RegularFile.checkPath(path, as: SecretFile.expectedPath)
                }, parse)
        case (nil, let credential?):
            let environment = environment
            return storedSecret(
                credential, as: "the name of a systemd credential", at: path,
                locate: { (name) throws(InvalidValue) in
                    try SecretFile.credentialPath(name, environment: environment)
                }, parse)
        case (let file?, .some):
            issues.add("\(place): a file and a credential: keep one of them", at: file.keyPosition)
        case (nil, nil):
            if fields.lacks("file"), fields.lacks("credential") {
                expected("{file: PATH} or {credential: NAME}", found: node, in: place)
            }
        }
        return nil
    }

    private mutating func storedSecret<Value>(
        _ entry: YAMLEntry, as expectation: String, at path: SettingPath,
        locate: (String) throws(InvalidValue) -> String, _ parse: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        var name = ""
        let limit = interpolationBudget
        var length = 0
        let willRead = surroundings.willRead
        let value = decode(entry.value, in: entry.key, as: expectation, echo: .nothing) { (text) throws(InvalidValue) in
            let file = try locate(text)
            willRead(file)
            let secret = try SecretFile.read(path: file)
            length = secret.utf8.count
            guard length <= limit else {
                throw InvalidValue("the files make the configuration larger than 1 MiB: shorten them")
            }
            name = text
            return try parse(secret)
        }
        interpolationBudget -= length
        if value != nil {
            let origin = "\(entry.key) \(name) (\(origin(of: entry.value)))"
            settings?.record(path, redactedText, origin: origin)
        }
        return value
    }
}
