import HeadgateConfiguration
import HeadgateTesting
import Testing

@Suite struct CountersConfigurationTests {
    private static let upstream = "upstreams: {u: {kind: openai, base_url: 'https://h/v1'}}\n"

    private func counters(_ text: String, _ environment: [String: String] = [:]) throws -> CountersConfiguration {
        try parse(Self.upstream + "counters: " + text, environment: environment).counters
    }

    @Test func limitsAreCountedInMemoryByDefault() throws {
        #expect(try parse(Self.upstream).counters == .memory)
        #expect(try counters("memory") == .memory)
    }

    @Test(arguments: [
        ("redis://redis.lan", RedisLocation(.host("redis.lan", port: 6379, isSecure: false))),
        ("redis://redis.lan/", RedisLocation(.host("redis.lan", port: 6379, isSecure: false))),
        ("rediss://[::1]:7000/12", RedisLocation(.host("::1", port: 7000, isSecure: true), database: 12)),
        (
            "rediss://:p%40ss%3a@h/1",
            RedisLocation(.host("h", port: 6379, isSecure: true), password: Secret("p@ss:"), database: 1)
        ),
        (
            "rediss://ha%25te:x@h",
            RedisLocation(.host("h", port: 6379, isSecure: true), user: "ha%te", password: Secret("x"))
        ),
        ("redis+unix:///run/redis.sock", RedisLocation(.socket("/run/redis.sock"))),
        (
            "redis+unix://u:p@/run/redis.sock?db=4",
            RedisLocation(.socket("/run/redis.sock"), user: "u", password: Secret("p"), database: 4)
        ),
    ])
    func everyFormIsRead(_ text: String, _ location: RedisLocation) throws {
        #expect(try counters("'\(text)'") == .redis(location))
    }

    @Test(arguments: [
        "redis", "http://h", "redis://", "redis:///1", "redis://h:0", "redis://h:x", "redis://h/x", "redis://h/01",
        "redis://h/65536", "redis://h/1/2", "redis://u@h", "redis://u:@h", "redis://u:p:q@h", "redis://u:p@q@h",
        "redis://u:%zz@h", "redis://u:%0a@h", "redis://u:p w@h", "redis+unix://run/x", "redis+unix:///a?x=1",
        "redis+unix:///a?db=", "redis+unix:///a/", "redis://h?db=1", "REDIS://h",
    ])
    func invalidLocationIsRefusedWithItsPlace(_ text: String) {
        let found = issues("\(Self.upstream)counters: '\(text)'\n")
        #expect(found.count == 1 && found[0].hasPrefix("t.yaml:2:11: error: counters: "), "\(text): \(found)")
    }

    @Test func passwordIsNeverShown() throws {
        let text = "\(Self.upstream)counters: rediss://user:${PASSWORD}@redis.lan:6380/2\n"
        let environment = ["PASSWORD": "s3cr3t-w0rd"]
        let folder = try TemporaryFolder()
        let settings = try Configuration.explain(
            path: try folder.file("headgate.yaml", text), environment: environment)
        #expect(settings.first { $0.path == "counters" }?.value == "rediss://<redacted>@redis.lan:6380/2")
        #expect(!settings.contains { $0.value.contains("s3cr3t-w0rd") })
        let broken = issues(
            "\(Self.upstream)counters: rediss://user:${PASSWORD}@redis.lan:x\n", environment: environment)
        #expect(broken.count == 1 && !broken[0].contains("s3cr3t"), "\(broken)")
    }

    @Test func plainPasswordIsWarnedAbout() throws {
        func warned(_ url: String) throws -> Bool {
            try !warnings("\(Self.upstream)counters: '\(url)'\n").isEmpty
        }
        #expect(try warned("redis://:p@redis.lan"))
        for safe in ["rediss://:p@redis.lan", "redis://redis.lan", "redis://:p@127.0.0.1", "redis+unix://:p@/a"] {
            #expect(try !warned(safe), "\(safe)")
        }
    }
}
