import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrices
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Service tiers that keys and models allow, and their effect on budgets in USD.
@Suite struct TierPolicyTests {
    private static func answer(_ more: String = "") -> PlannedTransport.Plan {
        .json(
            #"{"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":400,"completion_tokens":500}\#(more)}"#)
    }

    private static let rate = TokenPrice(input: 1_000_000, output: 1_000_000)
    private static let prices = PriceList(own: [
        PriceEntry(
            name: "plain",
            price: TokenPrice(
                input: 1_000_000, output: 1_000_000,
                special: SpecialPrices(tiers: [
                    .flex: TokenPrice(input: 500_000, output: 500_000),
                    .priority: TokenPrice(input: 2_000_000, output: 2_000_000),
                    .ultrafast: TokenPrice(input: 10_000_000, output: 10_000_000),
                ])), source: .file("prices.yaml:1"))
    ])

    private func gateway(
        _ plan: PlannedTransport.Plan = answer(), kind: UpstreamKind = .openai, prices: PriceList? = prices,
        local: Bool? = nil, state: GatewayState = GatewayState(), model: ServiceTiers = .all,
        parameters: ParameterRules = ParameterRules(),
        change: (inout KeyConfiguration) -> Void = { _ in }
    ) -> InProcessGateway {
        let transport = PlannedTransport(plan)
        var configuration = UpstreamConfiguration(name: "up", kind: kind)
        if let local { configuration.isLocal = local }
        let upstream = UpstreamDefinition(
            configuration, baseURL: BaseURL(endpoint: .tls(host: "h", port: 443), pathPrefix: "/v1"), credentials: []
        ) { _ in transport }
        var models = ["plain", "odd"].map { ModelConfiguration(name: $0, upstream: "up") }
        models[0].tiers = model
        models[0].targets[0].parameters = parameters
        var key = InProcessGateway.keys[0]
        change(&key)
        return InProcessGateway(
            transport: transport, upstreams: [upstream], models: models, keys: [key], prices: prices, state: state)
    }

    // MARK: Allowed tiers

    @Test(arguments: [
        #","speed":"fast","service_tier":"priority""#, #","service_tier":"priority","speed":"fast""#,
    ])
    func conflictingTierMembersHideNoTier(_ members: String) async {
        let running = gateway { $0.tiers = [ServiceTiers(.standard), ServiceTiers(.fast)] }
        let answer = await running.chat(model: "plain", extra: members)
        #expect(answer.status == 403 && answer.isError(code: "tier_not_allowed"))
        let plain = await running.chat(model: "plain", extra: #","speed":"fast","service_tier":"default""#)
        #expect(plain.status == 200)
    }

    @Test func keyAllowsOnlySomeTiers() async {
        let running = gateway { $0.tiers = [ServiceTiers(.standard), ServiceTiers(.flex)] }
        for allowed in ["", #","service_tier":"default""#, #","service_tier":"flex""#, #","service_tier":"auto""#] {
            #expect(await running.chat(model: "plain", extra: allowed).status == 200)
        }
        for refused in ["priority", "ultrafast", "scale", "fast"] {
            let answer = await running.chat(model: "plain", extra: #","service_tier":"\#(refused)""#)
            #expect(answer.status == 403 && answer.isError(code: "tier_not_allowed"))
            #expect(answer.text.contains(#""param":"service_tier""#) && answer.text.contains("'default', 'flex'"))
            #expect(answer.text.contains("This key does not allow"))
        }
        #expect(running.transport.requests.count == 4)
    }

    @Test func modelAllowsOnlySomeTiersAndOtherModelsAll() async {
        let running = gateway(model: ServiceTiers(.flex))
        let unstated = await running.chat(model: "plain")
        #expect(unstated.isError(code: "tier_not_allowed") && unstated.text.contains("This model does not allow"))
        #expect(await running.chat(model: "plain", extra: #","service_tier":"flex""#).status == 200)
        #expect(await running.chat(model: "odd", extra: #","service_tier":"priority""#).status == 200)
        // Other routes have no tiers.
        #expect(await running.ask(.post, "/v1/moderations", body: #"{"model":"plain","input":"a"}"#).status == 200)
    }

    private static func parameter(_ name: String, _ json: String) -> ParameterRules.Parameter {
        ParameterRules.Parameter(name: name, json: Array(json.utf8))
    }

    @Test(arguments: [
        (ParameterRules(overrides: [parameter("service_tier", #""priority""#)]), "", 403),
        (ParameterRules(overrides: [parameter("service_tier", #""priority""#)]), #","service_tier":"flex""#, 403),
        (ParameterRules(overrides: [parameter("service_tier", #""flex""#)]), #","service_tier":"priority""#, 200),
        (ParameterRules(defaults: [parameter("service_tier", #""ultrafast""#)]), "", 403),
        (ParameterRules(defaults: [parameter("service_tier", #""ultrafast""#)]), #","service_tier":"flex""#, 200),
        (ParameterRules(defaults: [parameter("speed", #""fast""#)]), "", 403),
        (ParameterRules(strip: ["service_tier"]), #","service_tier":"priority""#, 200),
        (ParameterRules(strip: ["speed"]), #","service_tier":"priority""#, 403),
        (ParameterRules(strip: ["top_p"]), #","service_tier":"priority""#, 403),
    ])
    func tierThatTheConfigurationSetsCounts(_ rules: ParameterRules, _ members: String, _ status: Int) async {
        let running = gateway(parameters: rules) { $0.tiers = [ServiceTiers(.standard), ServiceTiers(.flex)] }
        #expect(await running.chat(model: "plain", extra: members).status == status)
    }

    @Test func budgetsReserveAtTheTierThatTheConfigurationSets() throws {
        let rules = ParameterRules(overrides: [Self.parameter("service_tier", #""flex""#)])
        let route = try #require(gateway(parameters: rules).gateway.snapshot.relay.models.route(of: "plain"))
        let envelope = try RequestEnvelope(Array(#"{"model":"plain","messages":[]}"#.utf8))
        let tiers = route.tiers(of: envelope, for: ClientKey(InProcessGateway.keys[0]))
        #expect(tiers == [ServiceTiers(.standard), ServiceTiers(.flex)])
    }

    @Test func fastModeIsATierOfMessages() async {
        let running = gateway(.json("{}"), kind: .anthropic) { $0.tiers = ServiceTiers(.standard) }
        let body = #"{"model":"plain","max_tokens":1,"messages":[]"#
        #expect(await running.ask(.post, "/v1/messages", body: body + #","speed":"standard"}"#).status == 200)
        let refused = await running.ask(.post, "/v1/messages", body: body + #","speed":"fast"}"#)
        #expect(refused.status == 403 && refused.text.contains("'speed' selects"))
    }

    @Test func completionsHaveTiersToo() async throws {
        let running = gateway { $0.tiers = ServiceTiers(.standard) }
        let body = #"{"model":"plain","prompt":"a""#
        #expect(await running.ask(.post, "/v1/completions", body: body + "}").status == 200)
        let refused = await running.ask(.post, "/v1/completions", body: body + #","service_tier":"priority"}"#)
        #expect(refused.status == 403 && refused.isError(code: "tier_not_allowed"))
        let route = try #require(gateway().gateway.snapshot.relay.models.route(of: "plain"))
        let envelope = try RequestEnvelope(
            Array((body + #","service_tier":"ultrafast"}"#).utf8), shape: RelayOperation.createCompletion.shape)
        let tiers = route.tiers(of: envelope, for: ClientKey(InProcessGateway.keys[0]))
        #expect(tiers.contains(ServiceTiers(.ultrafast)))
    }

    /// Requests in Ollama's format cannot name a tier, but the parameters of a target can.
    @Test(arguments: [
        ("/api/chat", #""messages":[{"role":"user","content":"a"}]"#), ("/api/generate", #""prompt":"a""#),
    ])
    func tierThatTheConfigurationSetsCountsInOllamasFormat(_ path: String, _ members: String) async {
        let rules = ParameterRules(overrides: [Self.parameter("service_tier", #""priority""#)])
        let running = gateway(parameters: rules) { $0.tiers = ServiceTiers(.standard) }
        let answer = await running.ask(.post, path, body: #"{"model":"plain","stream":false,\#(members)}"#)
        #expect(answer.status == 403 && answer.text.contains("does not allow"), "\(answer.text)")
    }

    @Test func explanationIsRefusedAsTheRequestWouldBe() async {
        let running = gateway { $0.tiers = ServiceTiers(.standard) }
        let answer = await running.chat(
            model: "plain", extra: #","service_tier":"priority""#, headerFields: [.init("x-headgate-explain")!: "1"])
        #expect(answer.isError(code: "tier_not_allowed"))
    }

    // MARK: Budgets

    private func reserved(_ members: String, key: ServiceTiers = .all) throws -> Int? {
        let running = gateway { $0.tiers = key }
        let relay = running.gateway.snapshot.relay
        let route = try #require(relay.models.route(of: "plain"))
        var configuration = InProcessGateway.keys[0]
        configuration.tiers = key
        let envelope = try RequestEnvelope(Array(#"{"model":"plain","messages":[]\#(members)}"#.utf8))
        let tiers = route.tiers(of: envelope, for: ClientKey(configuration))
        return relay.pricing?.estimate(TokenReserve(input: 1, output: 1), on: route, of: "plain", in: tiers).all
    }

    @Test func budgetsReserveAtTheMostExpensivePossibleTier() throws {
        #expect(try reserved("") == 4_000_000)
        #expect(try reserved("", key: ServiceTiers(.standard)) == 2_000_000)
        #expect(try reserved(#","service_tier":"default""#) == 2_000_000)
        // The upstream can process a flex request in the standard tier.
        #expect(try reserved(#","service_tier":"flex""#) == 2_000_000)
        #expect(try reserved(#","service_tier":"priority""#) == 4_000_000)
        #expect(try reserved(#","service_tier":"ultrafast""#) == 20_000_000)
        #expect(try reserved(#","service_tier":"scale""#) == 20_000_000)
    }

    @Test func modelWithoutAPriceReservesNoCost() throws {
        let relay = gateway().gateway.snapshot.relay
        let route = try #require(relay.models.route(of: "odd"))
        let pricing = try #require(relay.pricing)
        #expect(pricing.estimate(TokenReserve(input: 1, output: 1), on: route, of: "odd") == (all: 0, output: 0))
    }

    @Test func unpricedTierIsChargedAtTheMostExpensive() async {
        for (tier, status) in [("default", 200), ("scale", 429)] {
            let running = gateway(Self.answer(#","service_tier":"\#(tier)""#)) {
                $0.budget = BudgetConfiguration(.usd(2_000_000_000), every: .day)
            }
            let extra = #","service_tier":"\#(tier)""#
            #expect(await running.chat(model: "plain", extra: extra).status == 200)
            #expect(await running.chat(model: "plain", extra: extra).status == status)
        }
    }

    // MARK: Unknown prices

    private static let budget = BudgetConfiguration(.usd(1_000_000_000_000), every: .day)

    @Test func unknownPricesAreRefusedIfTheKeyRequiresIt() async {
        let running = gateway {
            $0.budget = Self.budget
            $0.unpriced = .refuse
        }
        #expect(await running.chat(model: "plain").status == 200)
        #expect(await running.chat(model: "plain", extra: #","service_tier":"flex""#).status == 200)
        for (model, extra) in [("odd", ""), ("plain", #","service_tier":"scale""#)] {
            let refused = await running.chat(model: model, extra: extra)
            #expect(refused.status == 403 && refused.isError(code: "model_unpriced"), "\(refused.text)")
        }
        // Counting tokens costs nothing.
        let count = await running.ask(
            .post, "/v1/responses/input_tokens", body: #"{"model":"odd","input":"a"}"#)
        #expect(count.status == 200)
        #expect(running.transport.requests.count == 3)
    }

    @Test func unknownPricesPassWithoutABudgetInDollars() async {
        #expect(await gateway { $0.budget = Self.budget }.chat(model: "odd").status == 200)
        let tokens = gateway {
            $0.budget = BudgetConfiguration(.tokens(1_000_000), every: .day)
            $0.unpriced = .refuse
        }
        #expect(await tokens.chat(model: "odd").status == 200)
    }

    @Test func withoutAnyPriceEveryModelIsRefused() async {
        let running = gateway(prices: nil) {
            $0.budget = Self.budget
            $0.unpriced = .refuse
        }
        #expect(await running.chat(model: "plain").isError(code: "model_unpriced"))
    }

    @Test(
        arguments: [(true, "odd", "0"), (true, "plain", "0.0009"), (false, "odd", nil), (nil, "odd", nil)]
            as [(Bool?, String, String?)])
    func upstreamThatIsDeclaredLocalCostsNothing(_ local: Bool?, _ model: String, _ cost: String?) async {
        let answer = await gateway(local: local).chat(model: model)
        #expect(answer.headerFields[.xHeadgateCostUSD] == cost)
    }
}
