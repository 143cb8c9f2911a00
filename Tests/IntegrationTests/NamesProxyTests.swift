import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import HeadgateServer
import HeadgateTesting
import HeadgateUpstream
import Testing

/// Upstreams behind a proxy, which resolves their names and cannot read the content.
@Suite struct NamesProxyTests {
    private let certificates: TLSCertificates
    /// Name server of the gateway, which knows only the proxy's name.
    private let names = ScriptedNames(["proxy.test": ["127.0.0.1"]])

    init() throws { certificates = try TLSCertificates() }

    private func running(_ tap: WireTap, script: UpstreamScript, credential: String? = nil) throws -> RunningGateway {
        let proxy = Proxy(host: "proxy.test", port: tap.port, credential: credential)
        return try RunningGateway(
            script, upstreamTLS: try certificates.server(certificates.files.leaf(names: ["api.test"])),
            endpoint: { .tls(host: "api.test", port: $0) }, access: try certificates.access(proxy: proxy),
            resolver: names.resolver())
    }

    @Test func streamPassesThroughATunnel() async throws {
        let upstream = try RunningGateway(
            tls: certificates, UpstreamScript(always: .chatStream(words: ["Hel", "lo"])),
            leaf: try certificates.files.leaf(names: ["api.test"]))
        let tap = try WireTap(.tunnels(to: upstream.upstream.port))
        let running = try running(
            tap, script: UpstreamScript(always: .chatCompletion("never")), credential: "me:secret")
        for _ in 0..<3 {
            let events = try await running.openStream().readEvents()
            #expect(events.last == "[DONE]")
            #expect(events.contains { $0.contains(#""content":"Hel""#) })
        }
        #expect(upstream.upstream.requests.count == 3)
        #expect(running.upstream.acceptedConnections == 0)
        #expect(names.count("api.test") == 0)
        #expect(tap.contains("CONNECT api.test:\(running.upstream.port) HTTP/1.1\r\n"))
        #expect(tap.contains("Proxy-Authorization: Basic "))
        for secret in [RunningGateway.upstreamKey, "Bearer", "POST "] { #expect(!tap.contains(secret), "\(secret)") }
        #expect(!upstream.upstream.requests.contains { $0.headers.contains("Proxy-Authorization") })
    }

    @Test(arguments: [
        ("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n", "407"),
        ("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", "503"),
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n", "not an HTTP response"),
    ])
    func refusedTunnelIsABadGateway(_ response: String, _ reason: String) async throws {
        let tap = try WireTap(.answers(response))
        let running = try running(
            tap, script: UpstreamScript(always: .chatCompletion("never")), credential: "me:secret")
        let answer = try await running.ask()
        #expect(answer.status == 502 && answer.text.contains("upstream_connect"), "\(answer.text)")
        let line = await running.log.next()
        #expect(line.contains(reason) && line.contains("proxy"), "\(line)")
        if reason == "407" { #expect(line.contains("it wants credentials"), "\(line)") }
        for secret in [RunningGateway.upstreamKey, "secret", "bWU6c2VjcmV0"] {
            #expect(!line.contains(secret) && !answer.text.contains(secret))
        }
        #expect(!tap.contains(RunningGateway.upstreamKey) && !tap.contains("POST "))
        #expect(running.upstream.acceptedConnections == 0)
    }

    @Test func unresponsiveProxyEndsAtTheConnectDeadline() async throws {
        let tap = try WireTap(.silent)
        let proxy = Proxy(host: "proxy.test", port: tap.port)
        let running = try RunningGateway(
            UpstreamScript(always: .chatCompletion("never")), timeouts: TransferTimeouts(connect: .milliseconds(300)),
            endpoint: { .tls(host: "api.test", port: $0) }, access: try certificates.access(proxy: proxy),
            resolver: names.resolver())
        let answer = try await running.ask()
        #expect(answer.status == 502 && answer.text.contains("upstream_connect"))
        #expect(await running.log.next().contains("waiting for the proxy proxy.test:\(tap.port)"))
    }

    @Test func certificateIsCheckedBehindAProxyToo() async throws {
        let upstream = try RunningGateway(
            tls: certificates, UpstreamScript(always: .chatCompletion("never")),
            leaf: try certificates.files.leaf(names: ["elsewhere.test"]))
        let tap = try WireTap(.tunnels(to: upstream.upstream.port))
        let running = try running(tap, script: UpstreamScript(always: .chatCompletion("never")))
        let answer = try await running.ask()
        #expect(answer.status == 502 && answer.text.contains("upstream_tls"))
        #expect(answer.text.contains("another name"))
        #expect(upstream.upstream.requests.isEmpty && !tap.contains(RunningGateway.upstreamKey))
    }
}
