import HeadgateConfiguration
import Testing

/// Configuration of the response cache.
@Suite struct CacheTests {
    private func cache(_ fields: String) throws -> CacheConfiguration? {
        try parse("models: {m: {upstream: on-device\(fields)}}").models[0].cache
    }

    @Test func cacheIsOffByDefault() throws {
        #expect(try cache("") == nil)
        #expect(try parse("models: {m: {upstream: on-device}}").cacheMemory == 64 << 20)
    }

    @Test func everyKeyArrives() throws {
        #expect(try cache(", cache: {}") == CacheConfiguration())
        #expect(
            try cache(", cache: {ttl: 5m, shared: true, any_temperature: true, replay: paced}")
                == CacheConfiguration(
                    ttl: .seconds(300), isShared: true, takesAnyTemperature: true, replay: .paced))
        #expect(try parse("models: {m: {upstream: on-device}}\ncache: {memory: 1GiB}").cacheMemory == 1 << 30)
    }

    @Test(arguments: [
        ("{ttl: 10ms}", "ttl: found \"10ms\", expected a duration such as 5s"),
        ("{shared: maybe}", "shared: found \"maybe\", expected true or false"),
        ("{replay: slow}", "replay: found \"slow\", expected at_once or paced"),
        ("{time: 1h}", "unknown key \"time\""), ("[1h]", "cache: found a list, expected a mapping"),
    ])
    func mistakeIsReportedWithItsPlace(_ text: String, _ message: String) {
        let found = issues("models: {m: {upstream: on-device, cache: \(text)}}")
        #expect(found.count == 1 && found[0].hasPrefix("t.yaml:1:") && found[0].contains(message), "\(found)")
    }

    @Test func folderIsRelativeToTheConfigurationFile() throws {
        let model = "models: {m: {upstream: on-device}}\n"
        #expect(try parse(model).cacheFolder == nil && parse(model + "cache: {memory: 1MiB}").cacheFolder == nil)
        #expect(try parse(model + "cache: {folder: kept}").cacheFolder == CacheFolderConfiguration(path: "kept"))
        #expect(
            try parse(model + "cache: {folder: /var/kept, disk: 2GiB}").cacheFolder
                == CacheFolderConfiguration(path: "/var/kept", limit: 2 << 30))
        #expect(CacheFolderConfiguration(path: "kept").limit == 1 << 30)
    }

    @Test(arguments: [
        ("{disk: 1GiB}", "disk: it bounds a folder, and there is none: add 'folder', or remove it"),
        ("{folder: kept, disk: 1KiB}", "(from 1MiB to 16GiB)"), ("{folder: ''}", "expected the path of a folder"),
    ])
    func mistakeInTheFolderIsReportedWithItsPlace(_ text: String, _ message: String) {
        let found = issues("models: {m: {upstream: on-device}}\ncache: \(text)")
        #expect(found.count == 1 && found[0].hasPrefix("t.yaml:2:") && found[0].contains(message), "\(found)")
    }

    @Test func serverIsNamedByItsURLOrByTheCounters() throws {
        let model = "models: {m: {upstream: on-device}}\n"
        let location = RedisLocation(.host("h", port: 6379, isSecure: true), password: Secret("p"), database: 2)
        #expect(try parse(model).cacheServer == nil)
        #expect(try parse(model + "cache: {redis: 'rediss://:p@h/2'}").cacheServer == location)
        #expect(try parse(model + "cache: {redis: counters}\ncounters: 'rediss://:p@h/2'").cacheServer == location)
        #expect(try warnings(model + "cache: {redis: 'redis://:p@h/2'}").count == 1)
        // The setting of the counters already has this warning.
        #expect(try warnings(model + "cache: {redis: counters}\ncounters: 'redis://:p@h/2'").count == 1)
    }

    @Test(arguments: [
        ("{redis: counters}", "redis: 'counters' has no server: write its URL here, or there"),
        ("{redis: 'http://h'}", "redis: expected counters, redis://HOST, rediss://HOST or redis+unix:///PATH"),
        ("{redis: 'redis://:s3cr3t@h:x'}", "redis: "),
        ("{redis: 'redis://h', folder: kept}", "redis: answers are kept in 'folder' already: remove one of the two"),
    ])
    func mistakeInTheServerIsReportedWithItsPlace(_ text: String, _ message: String) {
        let found = issues("models: {m: {upstream: on-device}}\ncache: \(text)")
        #expect(found.count == 1 && found[0].hasPrefix("t.yaml:2:") && found[0].contains(message), "\(found)")
        #expect(!found.joined().contains("s3cr3t"))
    }

    @Test(arguments: ["1KiB", "100GiB", "much"]) func memoryHasItsBounds(_ text: String) {
        let found = issues("models: {m: {upstream: on-device}}\ncache: {memory: \(text)}")
        #expect(found.count == 1 && found[0].contains("(from 1MiB to 64GiB)"), "\(found)")
    }
}
