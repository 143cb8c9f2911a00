internal import HeadgatePrimitives

extension ConfigurationDecoder {
    /// Reads the listeners from `HEADGATE_LISTEN`, or else from the file, or else returns the default.
    mutating func listeners(in fields: Fields) -> [ListenerConfiguration] {
        let path = fields.path.key("listen")
        // An empty variable counts as unset, because a variable that an image sets can be emptied but not unset.
        guard !(environment["HEADGATE_LISTEN"] ?? "").isEmpty else { return listenersOfFile(fields, at: path) }
        // The file's listeners are checked, although the variable replaces them.
        let outer = settings
        settings = nil
        _ = listenersOfFile(fields, at: path)
        settings = outer
        let first = Fields(.listener, at: path.item(0))
        let address = variable("HEADGATE_LISTEN", at: first.path.key("address")) { (text) throws(InvalidValue) in
            try ListenAddress(parsing: text)
        }
        return [listener(first, address: address)]
    }

    private mutating func listenersOfFile(_ fields: Fields, at path: SettingPath) -> [ListenerConfiguration] {
        guard let entry = fields["listen"] else {
            let first = Fields(.listener, at: path.item(0))
            let address = ListenAddress.standard
            settings?.record(first.path.key("address"), address.description, origin: SettingList.standardOrigin)
            return [listener(first, address: address)]
        }
        var nodes = [entry.value]
        if case .sequence(let items) = entry.value.content {
            nodes = items
            if items.isEmpty {
                issues.add("listen: the list is empty: name an address, or remove it", at: entry.value.position)
            }
        }
        var taken: [ListenAddress: SourcePosition] = [:]
        return nodes.enumerated().map { index, node in listener(node, at: path.item(index), taken: &taken) }
    }

    private mutating func listener(
        _ node: YAMLNode, at path: SettingPath, taken: inout [ListenAddress: SourcePosition]
    ) -> ListenerConfiguration {
        var fields = Fields(.listener, at: path)
        var addressNode: YAMLNode? = node
        if case .mapping = node.content {
            fields = self.fields(of: node, as: .listener, at: path, in: "a listener") ?? fields
            if fields.lacks("address") {
                issues.add("a listener has no address: add address: \(ListenAddress.standard)", at: node.position)
            }
            addressNode = fields["address"]?.value
        }
        let place = fields["address"] == nil ? "listen" : "address"
        let address = addressNode.flatMap { node in
            decode(node, in: place, as: ListenAddress.expected, at: path.key("address")) {
                (text) throws(InvalidValue) in
                let address = try ListenAddress(parsing: text)
                guard address.port != 0 else { return address }
                if let first = taken[address] {
                    throw InvalidValue("it is already at line \(first.line): keep one of them")
                }
                taken[address] = node.position
                return address
            }
        }
        return listener(fields, address: address)
    }

    /// Reads the other settings of a listener. Settings that depend on the address are not checked if it could not be
    /// read.
    private mutating func listener(_ fields: Fields, address: ListenAddress?) -> ListenerConfiguration {
        var fields = fields
        var isUnix = false
        if case .unix = address { isUnix = true }
        if let address {
            for key in isUnix ? ["tls"] : ["mode", "uids"] {
                guard let entry = fields[key] else { continue }
                let reason = isUnix ? "a Unix socket takes none" : "only a Unix socket (unix:/path) takes it"
                issues.add("\(key): \(reason), and this is \(address): remove it", at: entry.keyPosition)
            }
        }
        if !isUnix { fields.leftOut = ["mode"] }

        let api = choice("api", of: fields, as: ListenerConfiguration.API.self)
        let tls = tls(in: fields)
        let authentication = authentication(in: fields, address: address, api: api ?? .all)
        let mode = value("mode", of: fields, as: FileMode.expected) { (text) throws(InvalidValue) in
            try FileMode.parse(text)
        }
        let uids = values("uids", of: fields, list: "user ids", each: "a user id") { (text) throws(InvalidValue) in
            UInt32(try WholeNumber.parse(text, in: 0...Int(UInt32.max) - 1))
        }
        var listener = ListenerConfiguration(
            address: address ?? .standard, tls: tls, authentication: authentication, uids: uids ?? [])
        if let mode { listener.mode = mode }
        if let api { listener.api = api }
        if let entry = fields["uids"], isUnix, listener.authentication != .peer {
            issues.add("uids: only auth: peer asks who the caller is: remove it", at: entry.keyPosition)
        }
        if fields["auth"] == nil {
            settings?.show(listener.authentication.rawValue, at: fields.path.key("auth"))
        }
        return listener
    }

    private mutating func authentication(
        in fields: Fields, address: ListenAddress?, api: ListenerConfiguration.API
    ) -> ListenerConfiguration.Authentication? {
        guard let authentication = choice("auth", of: fields, as: ListenerConfiguration.Authentication.self),
            let address, let entry = fields["auth"]
        else { return nil }
        switch (authentication, address) {
        case (.peer, .tcp):
            issues.add("auth: peer is only for a Unix socket (unix:/path): write key", at: entry.value.position)
        // Metrics are not secret from their intended clients, such as the Prometheus of a cluster.
        case (.none, .tcp) where !address.isLoopback && api != .metrics:
            issues.add(
                "auth: none is only for addresses that no other machine reaches: write key", at: entry.value.position)
        default:
            break
        }
        return authentication
    }

    /// Adds an issue if a listener serves metrics that are turned off.
    mutating func check(_ listeners: [ListenerConfiguration], haveMetrics: Bool, in fields: Fields) {
        guard !haveMetrics, listeners.contains(where: { $0.api == .metrics }), let entry = fields["listen"],
            fields["metrics"] != nil || fields.lacks("metrics")
        else { return }
        issues.add("a listener has api: metrics, but there are none: add metrics: true", at: entry.keyPosition)
    }

    private mutating func tls(in fields: Fields) -> TLSFiles? {
        guard let entry = fields["tls"] else { return nil }
        guard let fields = self.fields(of: entry.value, as: .tls, at: fields.path.key("tls"), in: "tls") else {
            return nil
        }
        for key in ["cert", "key"] where fields.lacks(key) {
            issues.add("tls has no \(key): add \(key): and \(RegularFile.expected)", at: entry.keyPosition)
        }
        let certificate = readableFile("cert", of: fields)
        let key = readableFile("key", of: fields)
        guard let certificate, let key else { return nil }
        return TLSFiles(certificate: certificate, key: key)
    }

    private mutating func readableFile(_ key: String, of fields: Fields) -> String? {
        let willRead = surroundings.willRead
        return value(key, of: fields, as: RegularFile.expected) { (text) throws(InvalidValue) in
            willRead(try RegularFile.checkPath(text))
            return try RegularFile.checkReadable(text, expected: "a PEM file")
        }
    }
}

extension ConfigurationDecoder {
    /// Reads the names under which the gateway can be called, and the pages that can call it.
    mutating func origins(in fields: Fields) -> OriginRules {
        let hosts = values(
            "allowed_hosts", of: fields, list: "hosts such as gateway.lan or \"gateway.lan:*\"",
            each: AllowedHost.expected
        ) { (text) throws(InvalidValue) in try AllowedHost(parsing: text) }
        let origins = values(
            "allowed_origins", of: fields, list: "origins such as https://chat.example.com", each: Origin.expected
        ) { (text) throws(InvalidValue) in try Origin(parsing: text).text }
        let publicURL = value("public_url", of: fields, as: "a URL such as https://llm.example.com") {
            (text) throws(InvalidValue) in
            let origin = try Origin(parsing: text)
            guard ["http", "https"].contains(origin.scheme) else {
                throw InvalidValue("expected a URL such as https://llm.example.com")
            }
            return PublicURL(scheme: origin.scheme, authority: origin.authority)
        }
        return OriginRules(allowedHosts: hosts ?? [], allowedOrigins: origins ?? [], publicURL: publicURL)
    }
}
