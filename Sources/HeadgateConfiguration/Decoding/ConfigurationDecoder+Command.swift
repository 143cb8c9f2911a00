extension ConfigurationDecoder {
    /// Reads the program of an upstream: a list of its arguments, or a mapping with further settings.
    mutating func command(in fields: Fields, kind: UpstreamKind?, url: UpstreamURL?) -> CommandConfiguration? {
        guard let entry = fields["command"] else { return nil }
        if kind == .openai, let url, !isServed(url, fields["base_url"]) {
            issues.add(
                "command: its base_url must be a port of this machine, such as http://127.0.0.1:8080/v1, "
                    + "or a Unix socket", at: entry.keyPosition)
        }
        let path = fields.path.key("command")
        var fields = Fields(.command, at: path)
        var run: YAMLNode?
        switch entry.value.content {
        case .sequence:
            run = entry.value
        case .mapping:
            fields = self.fields(of: entry.value, as: .command, at: path, in: "command") ?? fields
            run = fields["run"]?.value
            if fields.lacks("run") {
                issues.add("command has no run: add run: [program, argument]", at: entry.keyPosition)
            }
        case .scalar, .refused:
            let keys = MappingDeclaration.command.names.joined(separator: ", ")
            expected(
                "a list of the program and its arguments, or a mapping of the keys \(keys)", found: entry.value,
                in: "command")
        }
        var command = CommandConfiguration(arguments: run.flatMap { arguments($0, at: path.key("run")) } ?? [])
        command.environment = variables(in: fields)
        if let health = urlPath("health", of: fields, such: "/health") { command.healthPath = health }
        command.preload = flag("preload", of: fields) ?? false
        if let timeout = duration("start_timeout", of: fields) { command.startTimeout = timeout }
        command.ttl = duration("ttl", of: fields)
        command.group = value("program_group", of: fields, as: "the name of a group") { (text) throws(InvalidValue) in
            try Name.checkKey(text)
        }
        return command
    }

    /// Reads the program groups that upstreams name, with their limits.
    mutating func programGroups(
        in file: Fields, of upstreams: [UpstreamConfiguration]
    ) -> [ProgramGroupConfiguration] {
        var groups: [ProgramGroupConfiguration] = []
        if let entry = file["program_groups"] {
            let entries = mapping(entry.value, place: "program_groups", of: "names to their limits") ?? []
            let path = file.path.key("program_groups")
            groups = entries.compactMap { entry in
                let place = "program group \(quoted(entry.key))"
                do throws(InvalidValue) {
                    _ = try Name.checkKey(entry.key)
                } catch {
                    issues.add("\(place): \(error.message)", at: entry.keyPosition)
                }
                guard let fields = fields(of: entry.value, as: .programGroup, at: path.key(entry.key), in: place)
                else { return nil }
                var group = ProgramGroupConfiguration(name: entry.key)
                if let max = wholeNumber("max", of: fields, in: 1...256) { group.max = max }
                if let queue = wholeNumber("queue", of: fields, in: 1...100_000) { group.queue = queue }
                if let wait = duration("wait", of: fields) { group.wait = wait }
                if let drain = duration("drain", of: fields) { group.drain = drain }
                let programs = upstreams.compactMap(\.command).filter { $0.group == entry.key }
                if programs.isEmpty {
                    warnings.add(
                        "\(place): no program is in it: name it in command: {program_group: \(entry.key)}, or remove "
                            + "it", at: entry.keyPosition)
                }
                if programs.count(where: \.preload) > group.max {
                    issues.add(
                        "\(place): \(programs.count(where: \.preload)) programs have preload: true, and \(group.max) "
                            + "can run at once", at: entry.keyPosition)
                }
                return group
            }
        } else {
            recordStandard("program_groups", of: file)
        }
        let named = Set(upstreams.compactMap(\.command?.group)).subtracting(groups.map(\.name))
        return groups + named.sorted().map { ProgramGroupConfiguration(name: $0) }
    }

    /// Returns whether a program on this machine can serve the URL: at a Unix socket, or at an explicit port.
    private func isServed(_ url: UpstreamURL, _ entry: YAMLEntry?) -> Bool {
        guard url.scheme != .unix else { return true }
        guard url.scheme == .http, url.isLoopback else { return false }
        guard url.port == 80, let entry, case .scalar(let text, _) = entry.value.content else { return true }
        return text.contains(":80")
    }

    mutating func arguments(_ node: YAMLNode, at path: SettingPath) -> [String]? {
        if case .sequence(let items) = node.content, items.isEmpty {
            issues.add("command: the list is empty: name the program", at: node.position)
        }
        var isFirst = true
        return values(
            node, in: "command", list: "the program and its arguments", each: "text", echo: .asWritten, at: path
        ) { (text) throws(InvalidValue) in
            guard !text.utf8.contains(0) else { throw InvalidValue("an argument holds a NUL byte: remove it") }
            guard !isFirst || !text.isEmpty else { throw InvalidValue("the program is empty: name it") }
            isFirst = false
            return text
        }
    }

    mutating func variables(in fields: Fields) -> [CommandConfiguration.Variable] {
        guard let entry = fields["env"],
            let entries = mapping(entry.value, place: "env", of: "names of variables to values")
        else { return [] }
        return entries.compactMap { entry in
            let place = "variable \(quoted(entry.key))"
            let isName =
                entry.key.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
                && entry.key.utf8.first.map(ASCII.isDigit) == false
            if !isName {
                issues.add(
                    "\(place): expected a name of letters, digits and '_', such as HF_HOME", at: entry.keyPosition)
            }
            let value = secret(entry.value, in: place, as: "text", at: fields.path.key("env").key(entry.key)) {
                (text) throws(InvalidValue) in
                guard !text.utf8.contains(0) else { throw InvalidValue("the value holds a NUL byte: remove it") }
                return Secret(text)
            }
            return value.map { CommandConfiguration.Variable(name: entry.key, value: $0) }
        }
    }
}
