extension ConfigurationDecoder {
    /// Octets for all answers that are kept.
    mutating func cacheMemory(in file: Fields) -> Int {
        let fields = section("cache", of: file, as: .cache)
        let expected = "a size such as 16MiB or 1GiB (from 1MiB to 64GiB)"
        let memory = value("memory", of: fields, as: expected) { (text) throws(InvalidValue) in
            guard let size = try? ByteSize.parse(text), (1 << 20...64 << 30).contains(size) else {
                throw InvalidValue("expected \(expected)")
            }
            return size
        }
        return memory ?? CacheConfiguration.standardMemory
    }

    /// Nil where nothing is kept, which is the default.
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
