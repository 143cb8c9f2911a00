import HeadgateConfiguration
import HeadgatePrices
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// The tier that an upstream sees after the configured parameters.
@Suite struct TierRulesTests {
    private static func parameter(_ name: String, _ json: String) -> ParameterRules.Parameter {
        ParameterRules.Parameter(name: name, json: Array(json.utf8))
    }

    private static let flex = parameter("service_tier", #""flex""#)
    private static let fast = parameter("speed", #""fast""#)

    @Test(
        arguments: [
            (ParameterRules(overrides: [flex]), nil, .flex), (ParameterRules(overrides: [flex]), .priority, .flex),
            (ParameterRules(overrides: [flex]), .fast, .other), (ParameterRules(defaults: [flex]), nil, .flex),
            (ParameterRules(defaults: [flex]), .priority, .priority),
            (ParameterRules(overrides: [parameter("service_tier", #""auto""#)]), .priority, nil),
            (ParameterRules(overrides: [parameter("service_tier", "null")]), .priority, nil),
            (ParameterRules(strip: ["service_tier"]), .priority, nil),
            (ParameterRules(strip: ["service_tier"]), .fast, .fast),
            (ParameterRules(overrides: [fast]), nil, .fast), (ParameterRules(overrides: [fast]), .standard, .fast),
            (ParameterRules(overrides: [fast]), .priority, .other), (ParameterRules(defaults: [fast]), nil, .fast),
            (ParameterRules(strip: ["speed"]), .fast, .standard), (ParameterRules(strip: ["speed"]), nil, nil),
            (ParameterRules(strip: ["speed"]), .flex, .flex),
            (ParameterRules(overrides: [parameter("speed", #""standard""#)]), .fast, .standard),
            (ParameterRules(overrides: [parameter("speed", #""standard""#)]), nil, nil),
            (ParameterRules(overrides: [flex, fast]), nil, .other),
        ] as [(ParameterRules, ServiceTier?, ServiceTier?)])
    func configuredParametersCount(_ rules: ParameterRules, _ asked: ServiceTier?, _ seen: ServiceTier?) throws {
        let rules = try #require(TierRules(rules))
        #expect(rules.tier(selectedBy: asked) == seen)
    }

    @Test(arguments: [
        ParameterRules(), ParameterRules(strip: ["top_p"]), ParameterRules(overrides: [parameter("Speed", #""fast""#)]),
        ParameterRules(defaults: [parameter("speeds", #""fast""#)]),
    ])
    func otherParametersHaveNoTier(_ rules: ParameterRules) {
        #expect(TierRules(rules) == nil)
    }
}
