import HeadgatePrices
import Testing

/// Built-in prices of tiers and of special tokens.
@Suite struct BuiltInTierPriceTests {
    private func price(_ model: String) throws -> TokenPrice {
        try #require(PriceList().entry(for: model, publicModel: model)).price
    }

    @Test func tiersAreMultiplesOrSeparatePrices() throws {
        let sol = try price("gpt-6.1-sol")
        #expect(sol.price(of: .standard)?.input == 2_000_000)
        #expect(sol.price(of: .flex)?.input == 1_000_000 && sol.price(of: .flex)?.cachedInput == 50_000)
        #expect(sol.price(of: .priority)?.output == 20_000_000)
        #expect(sol.price(of: .ultrafast)?.cacheWrite == 15_000_000)
        #expect(sol.price(of: .fast) == nil && sol.price(of: .other) == nil)
        #expect(try price("gpt-5.4").price(of: .flex)?.cachedInput == 130_000)
        #expect(try price("claude-opus-5-5").price(of: .fast)?.special?.longWrite == 16_000_000)
    }

    @Test func longPromptsAndLongWritesHavePrices() throws {
        let sol = try price("gpt-6.1-sol")
        #expect(sol.special?.longWrite == 5_000_000 && sol.special?.long?.special?.longWrite == 10_000_000)
        #expect(sol.cost(prompt: 272_001, completion: 0) == 272_001 * 4_000_000)
        #expect(sol.price(of: .priority)?.cost(prompt: 272_001, completion: 0) == 272_001 * 8_000_000)
        #expect(try price("gemini-2.5-flash").special?.audioInput == 1_000_000)
        #expect(try price("claude-sonnet-5-20260101").special?.longWrite == 4_000_000)
    }

    @Test func everyModelOfTheTableOfTiersHasAPrice() {
        for entry in PriceList.builtIn { #expect(entry.price.special?.tiers[.standard] == nil) }
        #expect(PriceList.builtIn.count { $0.price.special != nil } == 2 * PriceList.specialCount)
    }
}
