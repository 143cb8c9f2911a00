import HeadgateConfiguration
import HeadgateServer
import Testing

@testable import HeadgateService

@Suite struct ListeningEndpointsTests {
    @Test func boundPortsAreShownInURLs() {
        let endpoints = ListeningEndpoints(
            addresses: [.tcp(ip: "127.0.0.1", port: 4711), .tcp(ip: "::1", port: 4712)],
            listeners: [
                ListenerConfiguration(address: .tcp(host: "127.0.0.1", port: 0)),
                ListenerConfiguration(
                    address: .tcp(host: "::1", port: 0), tls: TLSFiles(certificate: "c", key: "k")),
            ])
        #expect(endpoints.all == ["http://127.0.0.1:4711", "https://[::1]:4712"])
        #expect(endpoints.preferred == "http://127.0.0.1:4711")
        #expect(endpoints.curlOption.isEmpty)
        #expect(endpoints.preferredNeedsKey)
    }

    @Test(arguments: [("0.0.0.0", "http://127.0.0.1:1"), ("::", "http://[::1]:1")])
    func wildcardAddressesAreReachedOverLoopback(ip: String, url: String) {
        let endpoints = ListeningEndpoints(addresses: [.tcp(ip: ip, port: 1)], listeners: [])
        #expect(endpoints.all == [url])
    }

    @Test func addressThatAURLCanNameIsPreferredToASocket() {
        let addresses: [ListenerSettings.Address] = [.unix(path: "/run/h.sock"), .tcp(ip: "127.0.0.1", port: 1)]
        let endpoints = ListeningEndpoints(addresses: addresses, listeners: [])
        #expect(endpoints.all == ["unix:/run/h.sock", "http://127.0.0.1:1"])
        #expect(endpoints.preferred == "http://127.0.0.1:1")
    }

    @Test func ollamaListenerIsNotAnExample() {
        let endpoints = ListeningEndpoints(
            Configuration(
                listeners: [
                    ListenerConfiguration(address: .tcp(host: "127.0.0.1", port: 11434), api: .ollama),
                    ListenerConfiguration(address: .tcp(host: "127.0.0.1", port: 1)),
                ], upstreams: [], models: []))
        #expect(endpoints.all == ["http://127.0.0.1:11434", "http://127.0.0.1:1"])
        #expect(endpoints.preferred == "http://127.0.0.1:1")
    }

    @Test func soleSocketIsNamedByACurlOption() {
        let endpoints = ListeningEndpoints(
            Configuration(
                listeners: [ListenerConfiguration(address: .unix(path: "/run/h.sock"))], upstreams: [], models: []))
        #expect(endpoints.preferred == "http://localhost")
        #expect(endpoints.curlOption == " --unix-socket /run/h.sock")
        #expect(!endpoints.preferredNeedsKey, "its owner needs none")
    }
}
