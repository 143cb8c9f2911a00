import HTTPTypes
import HeadgateConfiguration
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Patterns with several targets: the list of models, and the route of a listed name.
@Suite struct ListedTargetsTests {
    private typealias Plan = PlannedTransport.Plan

    private func gateway(
        _ plans: [[Plan]] = [[.stream("from a")], [.stream("from b")]], state: GatewayState = GatewayState(),
        _ change: (inout ModelConfiguration, inout [UpstreamConfiguration]) -> Void = { _, _ in }
    ) -> RoutedGateway {
        RoutedGateway(plans, state: state) { model, upstreams in
            model.name = "m*"
            change(&model, &upstreams)
        }
    }

    private func chat(_ gateway: RoutedGateway, _ model: String) async -> String? {
        await gateway.running.chat(model: model, stream: true).headerFields[.xHeadgateUpstream]
    }

    @Test func everyNameIsListedOnce() async {
        let list = { (names: [String]) in
            Plan.json(#"{"data":[\#(names.map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]}"#)
        }
        let gateway = gateway([[list(["m-1", "m-2", "other"])], [list(["m-2", "m-3"])]])
        let answer = await gateway.running.ask(.get, "/v1/models")
        let ids = answer.text.matches(of: #/"id":"([^"]*)"/#).map { String($0.1) }
        #expect(ids == ["m-1", "m-2", "m-3"])
    }

    @Test func upstreamWithAFixedNameIsNotListed() async {
        let gateway = gateway { model, _ in model.targets[1].model = "inner" }
        gateway.list(["m-1"], at: 0)
        _ = await gateway.running.ask(.get, "/v1/models")
        #expect(gateway.sent == [0, 0])
    }

    @Test func modelHasItsTargetsDialects() async {
        let gateway = gateway { _, upstreams in
            upstreams[1] = UpstreamConfiguration(name: "b", kind: .anthropic)
        }
        gateway.list(["m-1"], at: 0)
        gateway.list(["m-1"], at: 1)
        let answer = await gateway.running.ask(.get, "/v1/models")
        #expect(answer.text.contains(#""owned_by":"a","speaks":["chat","responses","messages"]"#))
        #expect(await gateway.running.ask(.get, "/v1/models/m-1").text.contains(#""responses","messages"]"#))
    }

    @Test func listedNameRoutesToItsUpstream() async {
        let gateway = gateway()
        gateway.list(["m-1"], at: 0)
        gateway.list(["m-2"], at: 1)
        #expect(await chat(gateway, "m-1") == "a")
        #expect(await chat(gateway, "m-2") == "b")
        #expect(await chat(gateway, "m-3") == "a")
        #expect(gateway.sent == [2, 1])
    }

    @Test func listingTargetPrecedesAnUnknownOne() async {
        let gateway = gateway()
        gateway.list(["m-2"], at: 1)
        #expect(await chat(gateway, "m-2") == "b")
        #expect(await chat(gateway, "m-1") == "a")
    }

    @Test func failureOfTheListingTargetFallsBack() async {
        let gateway = gateway([[.stream("from a")], [.json("{}", status: 500)]])
        gateway.list(["m-2"], at: 1)
        #expect(await chat(gateway, "m-2") == "a")
        #expect(gateway.sent == [1, 1])
    }

    @Test func unhealthyUpstreamComesAfterOneThatMightHaveTheName() async {
        let state = GatewayState()
        let gateway = gateway(state: state)
        gateway.list(["m-2"], at: 1)
        state.targets.reach(of: "b").noteCheck(isHealthy: false)
        #expect(await chat(gateway, "m-2") == "a")
        // An unhealthy upstream still comes before one that is known not to have the name, where an attempt would be
        // wasted.
        gateway.list(["m-1"], at: 0)
        #expect(await chat(gateway, "m-2") == "b")
    }

    @Test func listOfAnUnhealthyUpstreamStays() async {
        let state = GatewayState()
        let gateway = gateway(state: state)
        gateway.list(["m-1"], at: 0)
        gateway.list(["m-2"], at: 1)
        state.targets.reach(of: "b").noteCheck(isHealthy: false)
        state.targets.reach(of: "a").noteUnreachable(at: 0)
        let answer = await gateway.running.ask(.get, "/v1/models")
        #expect(answer.text.contains(#""id":"m-1""#) && answer.text.contains(#""id":"m-2""#))
    }

    @Test func fixedNameTargetStaysBeforeOneThatListsTheName() async {
        let gateway = gateway { model, _ in model.targets[0].model = "inner" }
        gateway.list(["m-2"], at: 1)
        #expect(await chat(gateway, "m-2") == "a")
    }

    @Test func ownUpstreamNameIgnoresLists() async {
        let gateway = gateway { model, _ in model.targets[1].model = "inner" }
        gateway.list(["m-2"], at: 1)
        #expect(await chat(gateway, "m-2") == "a")
    }
}
