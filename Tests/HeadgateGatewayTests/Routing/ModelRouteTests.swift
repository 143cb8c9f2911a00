import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Properties of a route's targets.
@Suite struct ModelRouteTests {
    private func target(
        breaker: TargetLimits.Breaker? = nil, model: String? = nil, tiers: ParameterRules = ParameterRules()
    ) -> ModelTarget {
        let state = GatewayState()
        let upstream = Upstream(
            UpstreamDefinition(
                name: "up", baseURL: BaseURL(endpoint: .tcp(host: "h", port: 80), pathPrefix: ""), credential: nil,
                transport: PlannedTransport(.json("{}"))))
        let name = TargetName(upstream: "up", model: "m")
        return ModelTarget(
            [upstream], model: model,
            limits: TargetLimits(
                nameHash: 0, health: state.targets.health(of: name), breaker: breaker,
                keys: state.targets.keyRing([], of: "up"), reach: state.targets.reach(of: "up"), flight: nil,
                isLocal: false),
            tierRules: TierRules(tiers))
    }

    @Test func healthMattersWithAChoiceOrABreaker() {
        #expect(!ModelRoute([target()]).hasHealth)
        #expect(ModelRoute([target(), target()]).hasHealth)
        #expect(ModelRoute([target(breaker: TargetLimits.Breaker(failures: 3, cooldown: 1))]).hasHealth)
    }

    @Test func tiersAreSetIfATargetSetsThem() {
        let rules = ParameterRules(strip: ["service_tier"])
        #expect(!ModelRoute([target()]).setsTiers && !ModelRoute([target(), target()]).setsTiers)
        #expect(ModelRoute([target(), target(tiers: rules)]).setsTiers)
    }

    @Test func plainTargetIsSingleWithoutOtherSteps() {
        #expect(ModelRoute([target()]).single != nil && ModelRoute([target(), target()]).single == nil)
        #expect(ModelRoute([target()], rules: RetryRules(attempts: 2)).single == nil)
        #expect(ModelRoute([target()], total: .seconds(1)).single == nil)
        #expect(ModelRoute([target(breaker: TargetLimits.Breaker(failures: 3, cooldown: 1))]).single == nil)
    }

    @Test func requestedNameIsPassedOnWithoutAnother() {
        #expect(ModelRoute([target(model: "inner"), target()]).passesNames(to: "up"))
        #expect(!ModelRoute([target()]).passesNames(to: "Up"))
        #expect(!ModelRoute([target(model: "inner")]).passesNames(to: "up"))
    }
}
