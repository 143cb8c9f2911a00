import HeadgateConfiguration
import Testing

@Suite struct ConfigurationTests {
    private static let text = """
        listen: "[::1]:0"
        loops: 2
        upstreams:
          openai:
            {kind: openai, base_url: "https://API.openai.com/v1/", api_key: "${KEY}", headers: {App-OS: linux, X-N: 7}}
          sock:
            {kind: openai, base_url: "unix:/run/llm.sock", timeouts: {connect: 250ms, first_byte: 2m, silence: 1h}}
          device: {kind: on-device}
        models:
          fast: {upstream: openai, model: gpt-4.1-nano}
          "gpt-*": {upstream: openai}
          "*": {upstream: device}
        keys:
          - name: laptop
            sha256: "\(String(repeating: "aB", count: 32))"
            models: ["gpt-*", fast]
            expires: 2027-01-01
            admin: true
          - {name: no, sha256: \(String(repeating: "00", count: 32))}
        stored_responses: any
        responses: {store: 30d, file: /var/lib/r.db, max_size: 1GiB}
        response_fields: false
        compaction: summarize
        metrics: true
        limits:
          {body: 64KiB, body_memory: 1MiB, event: 1MiB, connections: 10, connections_per_address: 3, drain: 2m}
        """

    @Test func everyKeyOfAFileArrivesInItsValue() throws {
        let configuration = try parse(Self.text, environment: ["KEY": "sk-1"])
        #expect(configuration.listeners[0].address == (try ListenAddress(parsing: "[::1]:0")))
        #expect(configuration.loops == 2)
        var openAI = UpstreamConfiguration(
            name: "openai", kind: .openai, baseURL: try UpstreamURL(parsing: "https://api.openai.com/v1"),
            apiKey: Secret("sk-1"))
        openAI.headers = [.init(name: "App-OS", value: "linux"), .init(name: "X-N", value: "7")]
        var sock = UpstreamConfiguration(
            name: "sock", kind: .openai, baseURL: try UpstreamURL(parsing: "unix:/run/llm.sock:/v1"))
        sock.timeouts = .init(connect: .milliseconds(250), firstByte: .seconds(120), silence: .seconds(3600))
        #expect(configuration.upstreams == [openAI, sock, UpstreamConfiguration(name: "device", kind: .onDevice)])
        #expect(
            configuration.models == [
                ModelConfiguration(name: "fast", upstream: "openai", model: "gpt-4.1-nano"),
                ModelConfiguration(name: "gpt-*", upstream: "openai"),
                ModelConfiguration(name: "*", upstream: "device"),
            ])
        #expect(configuration.models.map(\.isPattern) == [false, true, true])
        #expect(
            configuration.keys == [
                KeyConfiguration(
                    name: "laptop", digest: [UInt8](repeating: 0xAB, count: 32), models: ["gpt-*", "fast"],
                    expires: 1_798_761_600, isAdmin: true),
                KeyConfiguration(name: "no", digest: [UInt8](repeating: 0, count: 32)),
            ])
        #expect(configuration.storedResponses == .any && !configuration.hasResponseFields)
        #expect(configuration.compaction == .summarize)
        #expect(configuration.hasMetrics)
        #expect(
            configuration.responses
                == ResponseStoreConfiguration(
                    lifetime: .seconds(30 * 86_400), file: "/var/lib/r.db", maximumSize: 1 << 30))
        #expect(
            configuration.limits
                == LimitsConfiguration(
                    body: 65_536, bodyMemory: 1_048_576, event: 1_048_576, connections: 10, connectionsPerAddress: 3,
                    drain: .seconds(120)))
    }

    @Test func omittedValuesHaveDefaults() throws {
        let configuration = try parse("upstreams: {a: {kind: openai, base_url: \"http://localhost:1\"}}")
        #expect(configuration.listeners[0].address.description == "127.0.0.1:8686")
        #expect(configuration.loops == nil && configuration.storedResponses == .own)
        #expect(configuration.hasResponseFields && configuration.responses == nil && !configuration.hasMetrics)
        #expect(configuration.limits == LimitsConfiguration())
        #expect(configuration.limits.body == 33_554_432 && configuration.limits.bodyMemory == 536_870_912)
        #expect(configuration.limits.event == 16_777_216)
        #expect(configuration.upstreams[0].apiKeys.isEmpty)
        #expect(
            configuration.upstreams[0].timeouts
                == UpstreamTimeouts(
                    connect: .seconds(5), firstByte: .seconds(120), silence: .seconds(120)))
        #expect(configuration.models == [ModelConfiguration(name: "*", upstream: "a")])
    }

    @Test func aSingleDeviceServesItsModelAndNothingElse() throws {
        let configuration = try parse("upstreams: {mine: {kind: on-device}}")
        #expect(configuration.models == [ModelConfiguration(name: "smollm2", upstream: "mine")])
    }

    @Test(arguments: [
        ("1970-01-01", 0), ("2000-02-29", 951_782_400), ("2027-01-01T00:00:00Z", 1_798_761_600),
        ("2027-01-01t01:00:00.999z", 1_798_765_200), ("2027-01-01T00:00:00+01:30", 1_798_756_200),
        ("2027-01-01T00:00:00-00:30", 1_798_763_400), ("1969-12-31T23:59:59Z", -1), ("0000-01-01", -62_167_219_200),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func datesBecomeUnixSeconds(_ text: String, _ seconds: Int64) throws {
        let digest = String(repeating: "0", count: 64)
        let configuration = try parse("keys: [{name: a, sha256: \(digest), expires: \"\(text)\"}]")
        #expect(configuration.keys[0].expires == seconds)
    }

    @Test(arguments: [
        "", "2027", "2027-1-1", "2027-13-01", "2027-00-01", "2027-04-31", "1900-02-29", "2027-01-01T",
        "2027-01-01 00:00:00Z",
        "2027-01-01T24:00:00Z", "2027-01-01T00:60:00Z", "2027-01-01T00:00:60Z", "2027-01-01T00:00:00",
        "2027-01-01T00:00:00.Z",
        "2027-01-01T00:00:00+24:00", "2027-01-01T00:00:00*01:00", "2027-01-01T00:00:00Zx", "99999-01-01",
    ])
    func invalidDateIsRefused(_ text: String) {
        let digest = String(repeating: "0", count: 64)
        #expect(issues("keys: [{name: a, sha256: \(digest), expires: \"\(text)\"}]").count == 1)
    }
}
