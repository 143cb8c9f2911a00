internal import HeadgateConfiguration
internal import HeadgateFaults
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Rules of the configuration that select the exchanges that get a fault.
struct FaultRules: Sendable {
    private struct Rule: Sendable {
        let model: ModelPattern?
        let key: String?
        let upstream: String?
        let sequence: FaultSequence
        let fault: Fault

        init(_ rule: FaultRule) {
            model = rule.model.map(ModelPattern.init)
            key = rule.key
            upstream = rule.upstream
            sequence = FaultSequence(percent: rule.percent, seed: rule.seed)
            fault = rule.fault
        }

        func matches(model: String, key: String) -> Bool {
            self.model?.matches(model) != false && self.key?.isExactly(key) != false
        }
    }

    private let rules: [Rule]

    init(_ rules: [FaultRule]) { self.rules = rules.map(Rule.init) }

    private init(_ rules: [Rule]) { self.rules = rules }

    var isEmpty: Bool { rules.isEmpty }

    /// Rules for responses to clients.
    var towardsClients: FaultRules { FaultRules(rules.filter { $0.fault.receiver == .client }) }

    /// Returns the rules for responses from an upstream.
    func from(upstream: String) -> FaultRules {
        FaultRules(
            rules.filter { $0.fault.receiver == .gateway && $0.upstream?.isExactly(upstream) != false })
    }

    /// Returns the fault of the first rule that matches and whose sequence picks this exchange.
    func fault(model: String, key: String) -> Fault? {
        rules.first { $0.matches(model: model, key: key) && $0.sequence.next() }?.fault
    }
}
