extension ConfigurationDecoder {
    /// Octets for all answers that are kept, and the folder where they are kept besides.
    mutating func cache(in file: Fields) -> (memory: Int, folder: CacheFolderConfiguration?) {
        let fields = section("cache", of: file, as: .cache)
        let memory = cacheSize("memory", of: fields, "from 1MiB to 64GiB", 1 << 20...64 << 30)
        let path = folder("folder", in: fields)
        let limit = cacheSize("disk", of: fields, "from 1MiB to 16GiB", 1 << 20...16 << 30)
        if let entry = fields["disk"], fields.lacks("folder") {
            issues.add("disk: it bounds a folder, and there is none: add 'folder', or remove it", at: entry.keyPosition)
        }
        return (
            memory ?? CacheConfiguration.standardMemory,
            path.map { CacheFolderConfiguration(path: $0, limit: limit ?? CacheFolderConfiguration.standardLimit) }
        )
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
