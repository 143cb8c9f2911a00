import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ModelTableTests {
    private func route(_ name: String, model: String? = nil) -> ModelRoute {
        let definition = UpstreamDefinition(
            name: name, baseURL: BaseURL(endpoint: .tcp(host: "h", port: 80), pathPrefix: ""), credential: nil,
            transport: PlannedTransport(.json("{}")))
        return .plain(Upstream(definition), model: model)
    }

    private func table(_ names: String...) -> ModelTable {
        var table = ModelTable()
        for name in names { table.add(name, route("for \(name)")) }
        return table
    }

    private func owner(_ table: ModelTable, _ model: String) -> String? {
        table.route(of: model)?.targets[0].upstream.name
    }

    @Test func exactNameIsFirst() {
        let table = table("gpt-*", "gpt-4o", "*")
        #expect(owner(table, "gpt-4o") == "for gpt-4o")
        #expect(owner(table, "gpt-4o-mini") == "for gpt-*")
        #expect(owner(table, "gpt-") == "for gpt-*")
        #expect(owner(table, "claude") == "for *")
    }

    @Test func longestPatternWinsInAnyOrder() {
        for table in [table("a*", "abc*", "ab*"), table("abc*", "ab*", "a*"), table("ab*", "a*", "abc*")] {
            #expect(owner(table, "abcd") == "for abc*")
            #expect(owner(table, "abd") == "for ab*")
            #expect(owner(table, "ax") == "for a*")
            #expect(owner(table, "b") == nil)
        }
    }

    @Test func nameIsMatchedExactly() {
        let table = table("gpt-4o")
        for other in ["GPT-4o", "gpt-4o ", "gpt-4", "gpt-4o-mini", ""] {
            #expect(owner(table, other) == nil, "\(other)")
        }
    }

    @Test func onlyExactNamesAreListedInTheirOrder() {
        #expect(table("z", "a*", "b", "*", "a").names == ["z", "b", "a"])
    }

    @Test func responsesAreRenamedOnlyIfRequestsAre() {
        #expect(route("u", model: "inner").targets[0].publicModel("asked") == "asked")
        #expect(route("u").targets[0].publicModel("asked") == nil)
    }

    @Test func ownerIsTheUpstream() {
        #expect(table("a").route(of: "a")?.targets[0].upstream.name == "for a")
        #expect(table("a").route(of: "b") == nil)
    }

    @Test func nameIsMatchedByItselfOrAPattern() {
        let table = table("gpt-*", "gpt-4o", "g*")
        #expect(table.match(of: "gpt-4o") == "gpt-4o" && table.match(of: "gpt-5") == "gpt-*")
        #expect(table.match(of: "g") == "g*" && table.match(of: "x") == nil)
    }

    @Test func upstreamOfSeveralRoutesIsListedOnce() {
        var table = table("a", "b*")
        table.add("c", table.routes[0].route)
        #expect(table.upstreams.map(\.name) == ["for a", "for b*"])
        #expect(table.routes.map(\.name) == ["a", "b*", "c"])
    }

    @Test func exactNameIsNotServedByAPattern() {
        var table = table("a*", "ab", "c")
        table.add("d*", route("for d*", model: "inner"))
        #expect(table.hasPattern(to: "for a*") && !table.hasPattern(to: "for c") && !table.hasPattern(to: "for d*"))
        #expect(table.isServed("ax", byPatternTo: "for a*") && !table.isServed("ab", byPatternTo: "for a*"))
        #expect(!table.isServed("ax", byPatternTo: "for c") && !table.isServed("c", byPatternTo: "for a*"))
        #expect(!table.isServed("dx", byPatternTo: "for d*"))
    }

    @Test(arguments: [
        (["a"], "for a", true), (["b"], "for a", false), (["a"], "for b*", false), (["bx"], "for b*", true),
        (["b*"], "for b*", true), (["*"], "for b*", true), (["*"], "for c", false), (["x", "a"], "for a", true),
        (["a"], "for A", false), ([], "for a", false),
    ]) func callerIsServedByTheUpstreamsOfItsModels(_ models: [String], _ upstream: String, _ isServed: Bool) {
        let caller = ClientKey(KeyConfiguration(name: "k", digest: [], models: models))
        #expect(table("a", "b*").serves(upstream, caller) == isServed)
    }
}
