extension ConfigurationDecoder {
    struct CachePlaces {
        let memory: Int
        let folder: CacheFolderConfiguration?
        let server: RedisLocation?
    }

    /// Reads the maximum bytes of all cached responses, and the other places where they are stored.
    mutating func cache(in file: Fields, counters: CountersConfiguration) -> CachePlaces {
        let fields = section("cache", of: file, as: .cache)
        let memory = cacheSize("memory", of: fields, "from 1MiB to 64GiB", 1 << 20...64 << 30)
        let path = folder("folder", in: fields)
        let limit = cacheSize("disk", of: fields, "from 1MiB to 16GiB", 1 << 20...16 << 30)
        if let entry = fields["disk"], fields.lacks("folder") {
            issues.add("disk: it bounds a folder, and there is none: add 'folder', or remove it", at: entry.keyPosition)
        }
        return CachePlaces(
            memory: memory ?? CacheConfiguration.standardMemory,
            folder: path.map {
                CacheFolderConfiguration(path: $0, limit: limit ?? CacheFolderConfiguration.standardLimit)
            }, server: cacheServer(of: fields, counters))
    }

    /// Reads the server that also stores cached responses. Its URL can contain a password.
    private mutating func cacheServer(of fields: Fields, _ counters: CountersConfiguration) -> RedisLocation? {
        let expected = "counters, redis://HOST, rediss://HOST or redis+unix:///PATH"
        let server = value("redis", of: fields, as: expected, echo: .nothing) { (text) throws(InvalidValue) in
            guard text == "counters" else { return try RedisLocation(parsing: text, expected: expected) }
            guard case .redis(let location) = counters else {
                throw InvalidValue("'counters' has no server: write its URL here, or there")
            }
            return location
        }
        guard let server, let entry = fields["redis"] else { return nil }
        settings?.show(server.description, at: fields.path.key("redis"))
        if server.showsPassword, counters != .redis(server) {
            warnings.add(
                "redis: the password travels to the server in the clear: write rediss:// if it has TLS",
                at: entry.value.position)
        }
        if fields["folder"] != nil {
            issues.add("redis: answers are kept in 'folder' already: remove one of the two", at: entry.keyPosition)
        }
        return server
    }

    private mutating func cacheSize(
        _ key: String, of fields: Fields, _ bounds: String, _ range: ClosedRange<Int>
    ) -> Int? {
        let expected = "a size such as 16MiB or 1GiB (\(bounds))"
        return value(key, of: fields, as: expected) { (text) throws(InvalidValue) in
            guard let size = try? ByteSize.parse(text), range.contains(size) else {
                throw InvalidValue("expected \(expected)")
            }
            return size
        }
    }

    /// Reads the cache of a model; nil if nothing is cached, which is the default.
    mutating func cache(of model: Fields) -> CacheConfiguration? {
        guard model["cache"] != nil else {
            recordStandard("cache", of: model)
            return nil
        }
        let fields = section("cache", of: model, as: .modelCache)
        var cache = CacheConfiguration()
        let ttl = value("ttl", of: fields, as: DurationText.expectedSeconds) { (text) throws(InvalidValue) in
            try DurationText.parseSeconds(text)
        }
        if let ttl { cache.ttl = ttl }
        if let isShared = flag("shared", of: fields) { cache.isShared = isShared }
        if let any = flag("any_temperature", of: fields) { cache.takesAnyTemperature = any }
        if let replay = choice("replay", of: fields, as: CacheConfiguration.Replay.self) { cache.replay = replay }
        return cache
    }
}
