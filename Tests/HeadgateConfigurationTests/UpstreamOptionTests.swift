import HeadgateConfiguration
import HeadgateTesting
import Testing

@Suite struct UpstreamOptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func upstream(_ fields: String, _ environment: [String: String] = [:]) throws -> UpstreamConfiguration {
        try parse("upstreams: {u: {\(fields)}}", environment: environment).upstreams[0]
    }

    private func check(_ fields: String, _ issue: String) {
        let found = issues("upstreams:\n  u: {\(fields)}")
        #expect(found == ["t.yaml:2:\(issue)"])
    }

    @Test func aNullHeaderIsRemoved() throws {
        let upstream = try upstream(
            "kind: openai, base_url: 'https://h', headers: {User-Agent: , A: x, B: ~, C: 'null'}")
        #expect(upstream.removedHeaders == ["user-agent", "b"])
        #expect(upstream.headers == [.init(name: "A", value: "x"), .init(name: "C", value: "null")])
        check(
            "kind: openai, base_url: 'https://h', headers: {Host: }",
            "54: error: header \"Host\": the gateway takes it from base_url: set the host there")
    }

    @Test func systemMessagesAreJoinedOrSeparate() throws {
        let open = "kind: openai, base_url: 'https://h'"
        #expect(try upstream(open).systemMessages == nil)
        #expect(try upstream("\(open), system_messages: joined").systemMessages == .joined)
        #expect(try upstream("\(open), system_messages: separate").systemMessages == .separate)
        check(
            "\(open), system_messages: join",
            "61: error: system_messages: found \"join\", expected joined or separate; did you mean \"joined\"?")
    }

    @Test func forwardedHeadersAreLowerCase() throws {
        let upstream = try upstream("kind: openai, base_url: 'https://h', forward_headers: [OpenAI-Beta, x-a]")
        #expect(upstream.forwardedHeaders == ["openai-beta", "x-a"])
    }

    @Test(arguments: [
        "Authorization", "X-API-Key", "api-key", "cookie", "Set-Cookie", "Proxy-Authorization", "proxy-anything",
        "Host",
        "Content-Type", "content-anything", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer", "Upgrade",
        "Expect", "Accept-Encoding", "a b", "",
    ])
    func someHeadersAreNeverForwarded(_ name: String) {
        let found = issues("upstreams: {u: {kind: openai, base_url: 'https://h', forward_headers: ['\(name)']}}")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("t.yaml:1:72: error: forward_headers: ") == true)
    }

    @Test func forwardedHeaderCanHaveADefault() throws {
        let upstream = try upstream(
            "kind: openai, base_url: 'https://h', headers: {A: x, B: }, forward_headers: [a, b]")
        #expect(upstream.forwardedHeaders == ["a", "b"])
        #expect(upstream.headers == [.init(name: "A", value: "x")] && upstream.removedHeaders == ["b"])
    }

    @Test func headerIsForwardedOnce() {
        check(
            "kind: openai, base_url: 'https://h', forward_headers: [a, A]",
            "65: error: forward_headers: found \"A\", it is already in the list: keep one of them")
    }

    @Test func strippedBetasAreNames() throws {
        let open = "kind: anthropic, base_url: 'https://h'"
        #expect(try upstream("\(open), strip_betas: [a-2025-01-01, b]").strippedBetas == ["a-2025-01-01", "b"])
        check(
            "\(open), strip_betas: [a, a]",
            "64: error: strip_betas: found \"a\", it is already in the list: keep one of them")
        check(
            "\(open), strip_betas: ['a,b']",
            "61: error: strip_betas: found \"a,b\", it must be 1 to 128 visible ASCII characters without commas")
    }

    @Test func plainHTTPToAnotherMachineIsOptIn() throws {
        let upstream = try upstream("kind: openai, base_url: 'http://gpu.lan', plain_http: true, allow_private: true")
        #expect(upstream.baseURL?.description == "http://gpu.lan")
        #expect(upstream.allowsPrivateAddresses)
        let refusal =
            "31: error: base_url: plain http is only for this machine (127.0.0.1, [::1], localhost): "
            + "write https:// for any other host, or allow it with plain_http: true"
        check("kind: openai, base_url: 'http://gpu.lan'", refusal)
        check("kind: openai, base_url: 'http://127.0.0.1.gpu.lan', plain_http: false", refusal)
        check(
            "kind: openai, base_url: 'http://gpu.lan', plain_http: yes",
            "61: error: plain_http: found \"yes\", expected true or false")
        check(
            "kind: openai, base_url: 'http://gpu.lan', plain_htp: true",
            "49: error: unknown key \"plain_htp\": did you mean \"plain_http\"?")
    }

    @Test(arguments: [
        ("http://proxy.lan:3128", ProxyConfiguration(host: "proxy.lan", port: 3128)),
        ("http://u:p@[::1]:1", ProxyConfiguration(host: "::1", port: 1, credential: Secret("u:p"))),
        ("http://u:@h:1", ProxyConfiguration(host: "h", port: 1, credential: Secret("u:"))),
        ("http://u%40x:p%3Aq%25@h:1", ProxyConfiguration(host: "h", port: 1, credential: Secret("u@x:p:q%"))),
    ])
    func proxiesAreRead(_ text: String, _ proxy: ProxyConfiguration) throws {
        #expect(try upstream("kind: openai, base_url: 'https://h', proxy: '\(text)'").proxy == proxy)
    }

    @Test(arguments: [
        "proxy:3128", "https://proxy:1", "http://proxy", "http://proxy:0", "http://proxy:1/", "http://hunter2@h:1",
        "http://u:hunter2@x@h:1", "http://u:hunter2%4@h:1", "http://u%3a:hunter2@h:1", "http://u:hunter2%0a@h:1",
        "http://u:hunter2 @h:1", "http://:hunter2@h:1", "http://u:hunter2:x@h:1",
    ])
    func otherProxiesAreRefusedWithoutRepeatingThem(_ text: String) {
        let found = issues("upstreams: {u: {kind: openai, base_url: 'https://h', proxy: '\(text)'}}")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("t.yaml:1:61: error: proxy: ") == true)
        #expect(found.first?.contains("hunter2") == false)
    }

    @Test func authoritiesAreAFileOfCertificates() throws {
        let good = try folder.file("ca.pem", "# mine\n-----BEGIN CERTIFICATE-----\n")
        let bad = try folder.file("key.pem", "-----BEGIN PRIVATE KEY-----\n")
        #expect(try upstream("kind: openai, base_url: 'https://h', ca: \(good)").authorities == good)
        #expect(
            issues("upstreams:\n  u: {kind: openai, base_url: 'https://h', ca: \(bad)}").first?.hasSuffix(
                "the file holds no certificate: it needs a line -----BEGIN CERTIFICATE-----") == true)
    }

    @Test(arguments: [
        ("kind: anthropic, base_url: 'https://h'", "https://h/v1"),
        ("kind: anthropic, base_url: 'https://h/a'", "https://h/a/v1"),
        ("kind: anthropic, base_url: 'https://h/v1'", "https://h/v1"),
        ("kind: azure, base_url: 'https://h'", "https://h/openai/v1"),
        ("kind: azure, base_url: 'https://h/'", "https://h/openai/v1"),
        ("kind: azure, base_url: 'https://h/own/v1'", "https://h/own/v1"),
        ("kind: azure, base_url: 'https://h', api_version: 2024-10-21", "https://h/openai"),
        ("kind: azure, base_url: 'https://h/own', api_version: 2025-04-01-preview", "https://h/own"),
        ("kind: openai, base_url: 'https://h'", "https://h"),
    ])
    func eachKindHasItsPath(_ fields: String, _ url: String) throws {
        #expect(try upstream(fields).baseURL?.description == url)
    }

    @Test func keysOfOtherKindsAreRefused() {
        check(
            "kind: openai, base_url: 'https://h', api_version: 2024-10-21",
            "44: error: api_version: only kind: azure takes it: remove it")
        check(
            "kind: azure, base_url: 'https://h/openai/v1', api_version: 2024-10-21",
            "30: error: base_url: its v1 paths take no api_version: remove the path, or api_version")
        check(
            "kind: azure, base_url: 'https://h', api_version: v1",
            "56: error: api_version: found \"v1\", expected an api-version such as 2024-10-21 or 2025-04-01-preview")
        check(
            "kind: anthropic, base_url: 'http://127.0.0.1:1', command: [a]",
            "56: error: command: only kind: openai takes it: remove it")
        check(
            "kind: on-device, proxy: 'http://h:1'",
            "24: error: proxy: the built-in model (kind: on-device) takes none: remove it")
    }

    @Test func aCommandIsAListOrAMapping() throws {
        let fields = "kind: openai, base_url: 'http://127.0.0.1:8080/v1', command: "
        #expect(
            try upstream(fields + "[llama-server, -m, '${M}', '']", ["M": "/m"]).command
                == CommandConfiguration(arguments: ["llama-server", "-m", "/m", ""]))
        let secret = try folder.file("token", "hf\n")
        let mapping =
            "{run: [a], env: {A: x, B: {file: \(secret)}}, health: /h?x=1, preload: true, start_timeout: 1s, "
            + "ttl: 2m, program_group: gpu}"
        #expect(
            try upstream(fields + mapping).command
                == CommandConfiguration(
                    arguments: ["a"],
                    environment: [.init(name: "A", value: Secret("x")), .init(name: "B", value: Secret("hf"))],
                    healthPath: "/h?x=1", preload: true, startTimeout: .seconds(1), ttl: .seconds(120),
                    group: "gpu"))
        #expect(try upstream("kind: openai, base_url: 'unix:/run/x', command: [a]").command?.arguments == ["a"])
    }

    @Test(arguments: [
        "https://h:8080", "http://127.0.0.1/v1", "https://127.0.0.1:8080",
    ])
    func aCommandServesThisMachine(_ url: String) {
        let found = issues("upstreams: {u: {kind: openai, base_url: '\(url)', command: [a]}}")
        #expect(found.first?.contains("command: its base_url must be a port of this machine") == true)
    }

    @Test(arguments: [
        ("[]", "the list is empty"), ("['']", "the program is empty"), ("{}", "command has no run"),
        ("{run: []}", "the list is empty"), ("a b", "expected a list of the program and its arguments, or a mapping"),
        ("{run: [a], env: {1A: x}}", "expected a name of letters"), ("{run: [a], env: [A]}", "expected a mapping"),
        ("{run: [a], health: health}", "expected a path"), ("{run: [a], preload: never}", "true or false"),
        ("[[a]]", "found a list, expected text"), ("{run: a}", "expected a list"),
    ])
    func commandMistakes(_ command: String, _ message: String) {
        let found = issues("upstreams: {u: {kind: openai, base_url: 'http://[::1]:80', command: \(command)}}")
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains(message) == true, "\(found)")
    }
}
