import HeadgateConfiguration
import HeadgateEventLoop
import HeadgatePrimitives
import HeadgateTesting
import HeadgateUpstream
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay
@testable import HeadgateService

@Suite struct UpstreamComposerTests {
    private let url: UpstreamURL

    init() throws { url = try UpstreamURL(parsing: "http://127.0.0.1:9") }

    @Test func unchangedUpstreamKeepsItsConnectionsAcrossAReload() async throws {
        try await withComposer { composer in
            let configured = UpstreamConfiguration(name: "a", kind: .openai, baseURL: url)
            let first = try composer.plan([configured])
            composer.adopt(first, drain: .zero)
            let second = try composer.plan([configured])
            #expect(first.definitions[0].activity === second.definitions[0].activity)
        }
    }

    @Test func changedUpstreamIsRecreated() async throws {
        try await withComposer { composer in
            var configured = UpstreamConfiguration(name: "a", kind: .openai, baseURL: url)
            let first = try composer.plan([configured])
            composer.adopt(first, drain: .zero)
            configured.apiKeys = [Secret("sk-new")]
            let second = try composer.plan([configured])
            #expect(first.definitions[0].activity !== second.definitions[0].activity)
            #expect(second.definitions[0].credentials.first?.reveal() == "sk-new")
        }
    }

    @Test func unadoptedPlanChangesNothing() async throws {
        try await withComposer { composer in
            var configured = UpstreamConfiguration(name: "a", kind: .openai, baseURL: url)
            let first = try composer.plan([configured])
            composer.adopt(first, drain: .zero)
            configured.allowsPrivateAddresses = true
            composer.release(try composer.plan([configured]))
            configured.allowsPrivateAddresses = false
            let third = try composer.plan([configured])
            #expect(first.definitions[0].activity === third.definitions[0].activity)
        }
    }

    @Test func definitionsKeepTheOrderOfTheConfiguration() async throws {
        try await withComposer { composer in
            let names = ["b", "a", "c"]
            let plan = try composer.plan(
                names.map { UpstreamConfiguration(name: $0, kind: .openai, baseURL: url) })
            #expect(plan.definitions.map(\.name) == names)
        }
    }

    @Test func authoritiesAreReloadedAndListedModelsRemain() async throws {
        let certificates = try TestCertificates()
        defer { certificates.removeAll() }
        try await withComposer { composer in
            var configured = UpstreamConfiguration(
                name: "a", kind: .openai, baseURL: try UpstreamURL(parsing: "https://localhost:9"))
            configured.authorities = certificates.authority
            let first = try composer.plan([configured])
            composer.adopt(first, drain: .zero)
            var question: ModelCatalogue.Question?
            first.definitions[0].catalogue? { question = $0.ask(at: 0) }
            let second = try composer.plan([configured])
            #expect(first.definitions[0].activity !== second.definitions[0].activity)
            #expect(question != nil)
            second.definitions[0].catalogue? { #expect($0.ask(at: 0) == nil, "it is asked already") }
        }
    }

    @Test func missingAuthoritiesRefuseThePlanWithTheUpstreamsName() async throws {
        try await withComposer { composer in
            var configured = UpstreamConfiguration(
                name: "mine", kind: .openai, baseURL: try UpstreamURL(parsing: "https://localhost:9"))
            configured.authorities = "/nowhere/ca.pem"
            let error = #expect(throws: Complaint.self) { try composer.plan([configured]) }
            #expect(error?.exitCode == .configuration)
            #expect(error?.message.hasPrefix("cannot use TLS for the upstream 'mine': ") == true)
        }
    }

    @Test func programWithTheSamePlanContinues() async throws {
        try await withComposer { composer in
            var configured = UpstreamConfiguration(name: "a", kind: .openai, baseURL: url)
            configured.command = CommandConfiguration(arguments: ["sleep", "1000"])
            let first = try composer.plan([configured])
            composer.adopt(first, drain: .zero)
            configured.apiKeys = [Secret("sk-new")]
            let second = try composer.plan([configured])
            #expect(first.parts["a"]?.programs.first?.identity == second.parts["a"]?.programs.first?.identity)
            configured.command?.arguments = ["sleep", "2000"]
            let third = try composer.plan([configured])
            #expect(first.parts["a"]?.programs.first?.identity != third.parts["a"]?.programs.first?.identity)
        }
    }

    @Test func unusedProgramIsEndedAtOnce() async throws {
        let states = Mailbox<LocalServerState>()
        let observer = ProgramObserver(
            onDevice: { _ in },
            local: { event, upstream in
                if case .state(let state) = event, upstream == "a" { states.post(state) }
            }, key: { _, _ in })
        try await withComposer(observer: observer) { composer in
            var configured = UpstreamConfiguration(name: "a", kind: .openai, baseURL: url)
            configured.command = CommandConfiguration(arguments: ["sleep", "1000"], preload: true)
            composer.adopt(try composer.plan([configured]), drain: .zero)
            #expect(try await states.next(timeout: .seconds(300), "the program's state") == .starting)
            composer.adopt(try composer.plan([]), drain: .seconds(3600))
            #expect(try await states.next(timeout: .seconds(300), "the program's state") == .stopping)
            #expect(try await states.next(timeout: .seconds(300), "the program's state") == .stopped)
        }
    }

    @Test func brokenOnDeviceModelDoesNotAffectOthers() async throws {
        let failures = Locked<[OnDeviceState]>([])
        let observer = ProgramObserver(
            onDevice: { state in failures.withLock { $0.append(state) } }, local: { _, _ in }, key: { _, _ in })
        try await withComposer(observer: observer, environment: [:]) { composer in
            let plan = try composer.plan([
                UpstreamConfiguration(name: "device", kind: .onDevice),
                UpstreamConfiguration(name: "a", kind: .openai, baseURL: url),
            ])
            #expect(plan.definitions.map(\.name) == ["a"])
        }
        guard case .failed(let reason)? = failures.withLock({ $0.first }) else {
            Issue.record("nobody was told")
            return
        }
        #expect(reason.contains("HOME is not set"))
    }

    private func withComposer(
        observer: ProgramObserver = .none, environment: [String: String] = ["PATH": "/usr/bin:/bin"],
        _ body: (UpstreamComposer) async throws -> Void
    ) async throws {
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let composer = UpstreamComposer(
            network: UpstreamNetwork(group: group), environment: environment, observer: observer)
        defer { composer.stop() }
        try await body(composer)
    }
}
