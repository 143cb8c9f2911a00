import HeadgateConfiguration
import HeadgatePrimitives
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Configuration of a target on which its cached responses depend.
@Suite struct CachedTargetTests {
    private static let secret = Secret("user:pass-0123456789")

    private static let changes: [@Sendable (inout UpstreamConfiguration, inout TargetConfiguration) -> Void] = [
        { upstream, _ in upstream.name = "other" },
        { upstream, _ in upstream.kind = .anthropic },
        { upstream, _ in upstream.apiVersion = "2026-01-01" },
        { upstream, _ in upstream.speaks = [.responses] },
        { upstream, _ in upstream.systemMessages = .joined },
        { upstream, _ in upstream.headers = [HeaderConfiguration(name: "X-A", value: "1")] },
        { upstream, _ in upstream.removedHeaders = ["X-A"] },
        { upstream, _ in upstream.command = CommandConfiguration(arguments: ["serve"], preload: false) },
        { upstream, _ in upstream.command = CommandConfiguration(arguments: ["serve", "-v"], preload: false) },
        { upstream, _ in
            upstream.command = CommandConfiguration(arguments: ["serve"], preload: false)
            upstream.command?.environment = [.init(name: "MODEL", value: CachedTargetTests.secret)]
        },
        { upstream, _ in upstream.proxy = ProxyConfiguration(host: "a", port: 1) },
        { upstream, _ in upstream.proxy = ProxyConfiguration(host: "b", port: 1) },
        { upstream, _ in upstream.proxy = ProxyConfiguration(host: "a", port: 2) },
        { upstream, _ in
            upstream.proxy = ProxyConfiguration(host: "a", port: 1, credential: CachedTargetTests.secret)
        },
        { _, target in target.model = "inner" },
        { _, target in target.parameters.strip = ["seed"] },
        { _, target in target.parameters.defaults = [.init(name: "seed", json: [0x31])] },
        { _, target in target.parameters.overrides = [.init(name: "seed", json: [0x31])] },
        { _, target in target.parameters.overrides = [.init(name: "seed", json: [0x32])] },
    ]

    private func texts(_ change: (inout UpstreamConfiguration, inout TargetConfiguration) -> Void) -> [String] {
        var upstream = UpstreamConfiguration(name: "up", kind: .openai)
        var target = TargetConfiguration(upstream: "up")
        change(&upstream, &target)
        return CachedTarget(upstream, target).texts(for: "m")
    }

    @Test func everyChangeMakesAnotherTarget() {
        let all = [texts { _, _ in }] + Self.changes.map { texts($0) }
        #expect(Set(all).count == all.count)
        #expect(Self.changes.map { texts($0) } == Array(all.dropFirst()), "the same configuration is the same target")
    }

    @Test func whatIsNotSentMakesNoOtherTarget() {
        #expect(texts { upstream, _ in upstream.apiKeys = [Self.secret] } == texts { _, _ in })
        #expect(texts { _, target in target.weight = 9 } == texts { _, _ in })
    }

    @Test func secretsAreNotInTheTexts() {
        for change in Self.changes { #expect(!texts(change).contains { $0.contains("pass-0123456789") }) }
    }
}
