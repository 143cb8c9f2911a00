import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateRelay
import HeadgateService
import HeadgateTerminal
import HeadgateUpstream

/// Requests the models of every upstream with each of its keys, for `headgate check --live`.
///
/// It starts no program: the on-device model is skipped, and a `command:` is only checked if it already runs.
struct LiveCheck {
    /// Result of checking one upstream.
    struct Finding {
        let upstream: String
        let words: String
        var works = true

        var line: String { "upstream \(Neutralised.line(upstream)): \(works ? "" : "FAILED: ")\(words)" }
    }

    /// An upstream and the index of one of its keys.
    private struct Question: Hashable {
        let upstream: String
        let key: Int
    }

    let configuration: Configuration
    let environment: [String: String]

    /// Returns the findings in the order of the configuration. Waits for the slowest upstream, so it must not be called
    /// on a loop.
    ///
    /// - Throws: ``Complaint`` if a file that an upstream needs cannot be used.
    func findings() throws -> [Finding] {
        let group = try EventLoopGroup(starting: 1)
        defer { group.stop() }
        let composer = UpstreamComposer(
            network: UpstreamNetwork(group: group), environment: environment, observer: .none)
        let asked = configuration.upstreams.filter { $0.kind != .onDevice }.map { upstream in
            var upstream = upstream
            upstream.command = nil
            return upstream
        }
        let plans = try LiveCheck.plans(for: asked, composer)
        defer {
            for plan in plans { composer.release(plan) }
            composer.stop()
        }
        let questions = plans.enumerated().flatMap { index, plan in
            plan.definitions.map { (Question(upstream: $0.name, key: index), $0) }
        }
        let answers = Locked<[Question: ModelListing]>([:])
        let arrived = questions.map { question, definition in
            let latch = Latch()
            let wanted = modelNames(of: definition.name)
            group.loops[0].execute {
                definition.look(for: wanted, now: headgate_realtime_nanoseconds) { listing in
                    answers.withLock { $0[question] = listing }
                    latch.open()
                }
            }
            return (latch, ModelListing.longest(for: wanted.count))
        }
        // All timeouts count from the same start.
        let start = ContinuousClock.now
        for (latch, longest) in arrived { _ = latch.wait(atMost: longest - start.duration(to: .now)) }
        let all = answers.withLock { $0 }
        return configuration.upstreams.map { upstream in
            let keys = questions.map(\.0).filter { $0.upstream == upstream.name }.map(\.key)
            guard !keys.isEmpty else {
                return Finding(upstream: upstream.name, words: "the model on this device, not asked")
            }
            let listings = keys.map { all[Question(upstream: upstream.name, key: $0)] }
            let findings = listings.map { finding(upstream, $0) }
            guard keys.count > 1, let failed = findings.firstIndex(where: { !$0.works }) else {
                return finding(upstream, listings[0], keys: upstream.apiKeys.count)
            }
            let words = "key \(failed + 1) of \(keys.count): \(findings[failed].words)"
            return Finding(upstream: upstream.name, words: words, works: false)
        }
    }

    /// Returns a plan for each key index. Each plan contains the upstreams that have a key with that index.
    private static func plans(
        for upstreams: [UpstreamConfiguration], _ composer: UpstreamComposer
    ) throws -> [UpstreamComposer.Plan] {
        try (0..<(upstreams.map { max($0.apiKeys.count, 1) }.max() ?? 0)).map { index in
            let asked = upstreams.filter { index == 0 || index < $0.apiKeys.count }.map { upstream in
                var upstream = upstream
                upstream.apiKeys = Array(upstream.apiKeys.dropFirst(index).prefix(1))
                return upstream
            }
            return try composer.plan(asked)
        }
    }

    /// Returns the upstream's names for explicitly configured models. Azure's names are deployments, which it does not
    /// list.
    private func modelNames(of upstream: String) -> [String] {
        guard configuration.upstreams.first(where: { $0.name == upstream })?.kind != .azure else { return [] }
        var seen: Set<ExactText> = []
        return configuration.models.flatMap { model in
            model.targets.filter { $0.upstream == upstream }.compactMap {
                $0.model ?? (model.isPattern ? nil : model.name)
            }
        }.filter { seen.insert(ExactText($0)).inserted }
    }

    /// - Parameters:
    ///   - listing: The list of models; nil if there was no response.
    ///   - keys: Number of accepted keys.
    private func finding(
        _ upstream: UpstreamConfiguration, _ listing: ModelListing?, keys: Int = 1
    ) -> Finding {
        guard let listing else {
            let longest = ModelListing.longest(for: modelNames(of: upstream.name).count)
            let words = "it was asked for \(longest.components.seconds) s, and did not list its models"
            return Finding(upstream: upstream.name, words: words, works: false)
        }
        let names: [String]
        switch listing.names {
        case .success(let listed): names = listed
        case .failure(.transport(let error)) where upstream.command != nil && error.kind == .connect:
            return Finding(
                upstream: upstream.name, words: "its program is not running, and is not started for this check")
        case .failure(let failure):
            return Finding(upstream: upstream.name, words: words(failure, upstream), works: false)
        }
        let accepted = keys > 1 ? ", \(keys) keys accepted" : ", key accepted"
        var words = "reachable" + (upstream.hasKey ? accepted : "")
        words += ", \(names.count) \(names.count == 1 ? "model" : "models")"
        if !listing.untold.isEmpty {
            let untold = listing.untold.map { "\(Neutralised.line($0.name)) (\(LiveCheck.words($0.reason)))" }
            words += "; could not be looked up: " + untold.joined(separator: ", ")
        }
        guard !listing.missing.isEmpty else { return Finding(upstream: upstream.name, words: words) }
        let missing = listing.missing.map { Neutralised.line($0) }.joined(separator: ", ")
        return Finding(
            upstream: upstream.name, words: "\(words), but it does not know \(missing): correct 'model:'", works: false)
    }

    private func words(_ failure: ModelListFailure, _ upstream: UpstreamConfiguration) -> String {
        let place = Neutralised.line("\(upstream.baseURL?.text ?? "")/models")
        switch failure {
        case .transport(let error) where error.kind == .noKey: return "no key: \(error.detail)"
        case .transport(let error):
            let detail = error.detail.isEmpty ? "" : " (\(Neutralised.line(error.detail)))"
            return "\(place) is not reachable: \(LiveCheck.words(error.kind))\(detail)"
        case .status(401):
            return upstream.hasKey
                ? "the key is refused: check api_key" : "it asks for a key, and none is configured: add api_key"
        case .status(403): return "the key may not list models, or is not accepted from here (status 403)"
        case .status(let status) where status == 404 || status == 405:
            return "\(place) answers \(status): check the path of base_url"
        case .status(let status): return "\(place) answers \(status)"
        case .notAList: return "\(place) answers with something other than a list of models: check base_url"
        }
    }

    /// Returns why a single model could not be checked.
    private static func words(_ failure: ModelListFailure) -> String {
        switch failure {
        case .transport(let error): words(error.kind)
        case .status(let status): "status \(status)"
        case .notAList: "no answer that can be read"
        }
    }

    private static func words(_ kind: TransportError.Kind) -> String {
        switch kind {
        case .connect, .unreachable: "no connection"
        case .connectTimeout: "no connection within 5 s"
        case .tls: "no TLS"
        case .responseTimeout, .silenceTimeout: "no answer within 10 s"
        default: "no answer"
        }
    }
}

extension UpstreamConfiguration {
    fileprivate var hasKey: Bool { !apiKeys.isEmpty || keyCommand != nil }
}
