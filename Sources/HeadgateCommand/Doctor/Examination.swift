import CHeadgate
import HeadgateDiagnosis
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateRelay

/// The doctor's examination of a gateway, in the order of its report.
struct Examination: Sendable {
    let targets: DoctorTargets
    let model: String?
    let network: DoctorNetwork
    /// Further findings for the end of the report.
    let others: [Finding]
    /// Called with messages about steps that take time.
    let say: @Sendable (String) -> Void
    /// Called with messages about slow steps, shown to everyone.
    let sayAloud: @Sendable (String) -> Void

    /// Runs the examination and waits for it. Must not be called on a loop.
    func runToEnd(on loop: EventLoop) -> DiagnosisReport {
        let result = Locked<DiagnosisReport?>(nil)
        let done = Latch()
        loop.execute {
            Task(executorPreference: loop) {
                let report = await run()
                result.withLock { $0 = report }
                done.open()
            }
        }
        done.wait()
        return result.withLock { $0 } ?? report(nil, [])
    }

    private func report(_ model: String?, _ findings: [Finding], isCompared: Bool = false) -> DiagnosisReport {
        DiagnosisReport(
            address: targets.root.address, direct: isCompared ? targets.direct?.address : nil, model: model,
            findings: findings + others, secrets: targets.secrets)
    }

    private func run() async -> DiagnosisReport {
        let client = network.client(of: targets.root)
        let liveness = await client.ask("/livez", as: .none)
        let reachable = ConnectionDiagnosis.reachable(
            liveness, at: targets.root.address, isInTheClear: targets.root.isInTheClear)
        guard case .success(let alive) = liveness else {
            let rest = Check.allCases.filter { ![.reachable, .addedDelay, .traces].contains($0) }
            return report(nil, [reachable] + rest.map { .skipped($0, "it cannot be reached") })
        }
        var findings = [reachable] + (await accessFindings(client, alive))
        let list = await client.ask("/v1/models")
        findings += await admission(client, list)
        guard case .success(let answer) = list, answer.status == 200 else {
            let rest = [Check.answer] + StreamDiagnosis.checks.filter { $0 != .addedDelay } + [.cancellation, .errors]
            return report(nil, findings + rest.map { .skipped($0, "the gateway does not let us in") })
        }
        let names = answer.modelNames
        say("asking for a whole answer")
        let candidates = model.map { [$0] } ?? Array((names ?? []).prefix(5))
        let search = ModelSearch(client: client) { finding in
            // The report makes a server's text safe for a terminal.
            let words = report(nil, [finding]).findings.prefix(1).map(\.measured).joined()
            sayAloud("\(words); asking again for up to a minute")
        }
        let (chosen, finding) = await search.firstThatAnswers(of: candidates)
        findings.append(finding)
        guard let chosen else {
            let skipped = StreamDiagnosis.skipped("no model answers") + [.skipped(.cancellation, "no model answers")]
            return report(nil, findings + skipped + [await errors(client)])
        }
        say("asking \(chosen.model) for a stream")
        let (streamed, direct) = await streams(client, chosen)
        findings += streamed
        say("cancelling a stream")
        // The direct client bypasses a proxy, which can have several gateways behind it.
        findings.append(await CancellationProbe(client: client, witness: direct ?? client).run(chosen))
        findings.append(await errors(client))
        return report(chosen.model, findings, isCompared: direct != nil)
    }

    // MARK: Basics

    private func accessFindings(_ client: DoctorClient, _ alive: WholeObservation) async -> [Finding] {
        let document = try? await client.ask("/openapi.json", as: .none).get()
        let gateway = ConnectionDiagnosis.gateway(liveness: alive, document: document)
        let ready: Finding
        switch await client.ask("/readyz", as: .none) {
        case .success(let answer): ready = ConnectionDiagnosis.ready(answer, gateway: gateway)
        case .failure(let failure): ready = Finding(.ready, .failed, failure.detail)
        }
        let seconds = alive.fields["date"].flatMap(HTTPDate.seconds)
        let ours = headgate_realtime_nanoseconds() / 1_000_000_000
        return [gateway, ready, ConnectionDiagnosis.clock(server: seconds, ours: ours)]
    }

    private func admission(
        _ client: DoctorClient, _ list: Result<WholeObservation, ExchangeFailure>
    ) async -> [Finding] {
        guard case .success(let answer) = list else {
            return [Finding(.key, .failed, "GET /v1/models gets no answer")]
                + [Check.wrongKey, .models].map { .skipped($0, "no answer") }
        }
        let key = ConnectionDiagnosis.key(answer, hasKey: targets.root.key != nil)
        guard answer.status == 200 else {
            return [key] + [Check.wrongKey, .models].map { .skipped($0, "no list of models") }
        }
        let wrong: Finding
        switch await client.ask("/v1/models", as: .wrong) {
        case .success(let answer): wrong = ConnectionDiagnosis.wrongKey(answer, isLocal: targets.root.isLocal)
        case .failure(let failure): wrong = Finding(.wrongKey, .warning, failure.detail)
        }
        return [key, wrong, ConnectionDiagnosis.models(answer)]
    }

    // MARK: Streams

    /// - Returns: The findings, and a client for the gateway itself if a comparison was possible.
    private func streams(_ client: DoctorClient, _ chosen: ModelSearch.Choice) async -> ([Finding], DoctorClient?) {
        switch await client.stream(chosen.probe(.lines)) {
        case .failure(let failure):
            let failed = Finding(
                .status, .failed, "no answer: \(failure.detail)",
                advice: "The gateway's log has a line for this request.")
            return ([failed] + StreamDiagnosis.skipped("no stream", after: .status), nil)
        case .success(let stream):
            guard stream.status == 200, let target = targets.direct else {
                return (StreamDiagnosis(stream, chosen.dialect).findings, nil)
            }
            say("asking \(chosen.model) directly")
            let direct = network.client(of: target)
            let comparison = StreamComparison(await direct.stream(chosen.probe(.lines)), chosen.dialect)
            let findings = StreamDiagnosis(stream, chosen.dialect, comparison: comparison).findings
            return (findings, comparison.stream == nil ? nil : direct)
        }
    }

    private func errors(_ client: DoctorClient) async -> Finding {
        let probe = ProbeRequest(.chat, model: "headgate-doctor-has-no-such-model", isStream: false)
        return ExchangeDiagnosis.errors(await client.ask(probe.path, body: probe.body))
    }
}
