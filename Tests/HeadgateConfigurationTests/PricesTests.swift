import HeadgatePrices
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateConfiguration

@Suite struct PricesTests {
    private static let upstream = "upstreams: {a: {kind: openai, base_url: \"http://127.0.0.1:9/v1\"}}\n"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns the issues of a configuration with this price file, without the folder.
    private func issues(_ prices: String) throws -> [String] {
        _ = try folder.file("prices.yaml", prices)
        let file = try folder.file("h.yaml", "\(PricesTests.upstream)prices: prices.yaml\n")
        do throws(ConfigurationError) {
            _ = try Configuration.load(path: file, environment: [:])
            return []
        } catch {
            return error.issues.map { "\($0)".replacing(folder.path + "/", with: "") }
        }
    }

    private func list(_ prices: String) throws -> PriceList? {
        _ = try folder.file("prices.yaml", prices)
        let file = try folder.file("h.yaml", "\(PricesTests.upstream)prices: prices.yaml\n")
        return try Configuration.load(path: file, environment: ["OUT": "8"]).prices
    }

    @Test func builtInPricesApplyUnlessTurnedOff() throws {
        #expect(try parse(PricesTests.upstream).prices == PriceList())
        #expect(try parse(PricesTests.upstream + "prices: none\n").prices == nil)
    }

    @Test func fileIsRelativeToTheConfigurationAndCanUseVariables() throws {
        let list = try #require(
            try list(
                "models: {\"m*\": {input: 1.25, output: \"${OUT}\", cached_input: 0.125, cache_write: 2, max_prompt: 9}}"
            ))
        let entry = try #require(list.entry(for: "m-1", publicModel: "x"))
        #expect(
            entry.price
                == TokenPrice(
                    input: 1_250_000, cachedInput: 125_000, cacheWrite: 2_000_000, output: 8_000_000, longestPrompt: 9))
        #expect(entry.source == .file("\(folder.path)/prices.yaml:1"))
    }

    @Test func exactNamesPrecedePatternsAndTheLongestPatternWins() throws {
        let list = try #require(
            try list(
                """
                models:
                  "*": {input: 1, output: 1}
                  "m-1*": {input: 3, output: 3}
                  "m*": {input: 2, output: 2}
                  m-1: {input: 4, output: 4}
                """))
        func input(_ model: String) -> Int? {
            list.entry(for: model, publicModel: model).map { $0.price.input / 1_000_000 }
        }
        #expect([input("m-1"), input("m-12"), input("m-2"), input("x"), input("gpt-5")] == [4, 3, 2, 1, 1])
    }

    @Test func usersPricesOverrideBuiltInOnesUnderAnyName() throws {
        let list = try #require(try list("models: {smart: {input: 7, output: 7}}"))
        #expect(list.entry(for: "gpt-5", publicModel: "smart")?.price.input == 7_000_000)
        #expect(list.entry(for: "gpt-5", publicModel: "other")?.source == .builtIn)
        #expect(list.entry(for: "my-deployment", publicModel: "gpt-5")?.price.output == 10_000_000)
        #expect(list.entry(for: "my-deployment", publicModel: "other") == nil)
    }

    @Test func snapshotsHaveThePriceOfTheirModelAndVariantsHaveNone() {
        let list = PriceList()
        func price(_ model: String) -> TokenPrice? { list.entry(for: model, publicModel: model)?.price }
        #expect(price("gpt-5-2025-08-07") == price("gpt-5") && price("gpt-5") != nil)
        #expect(price("claude-sonnet-4-5-20250929") == price("claude-sonnet-4-5"))
        #expect(price("gpt-4o-2024-05-13") != price("gpt-4o-2024-08-06"))
        #expect(price("gpt-5-of-tomorrow") == nil && price("gpt-55") == nil && price("K") == nil)
    }

    @Test func builtInTableIsWhole() {
        let names = PriceList.builtIn.map(\.name)
        #expect(names.count > 200 && Set(names).count == names.count)
        for entry in PriceList.builtIn {
            let price = entry.price
            #expect(price.input > 0 && price.output >= 0 && price.cachedInput <= price.input, "\(entry)")
        }
    }

    @Test func tiersAndSpecialTokensHaveSeparatePrices() throws {
        let rates = "input: 1, output: 2, cached_input: 0.1, cache_write: 3, cache_write_1h: 4"
        let list = try #require(
            try list(
                """
                models:
                  m:
                    {\(rates), audio_input: 5, audio_output: 6, image_input: 7, image_output: 8, max_prompt: 9,
                     long: {input: 2, output: 4}, tiers: {flex: {input: 0.5, output: 1}, fast: {input: 2, output: 4}}}
                """))
        let price = try #require(list.price(of: "m"))
        let special = try #require(price.special)
        #expect(special.longWrite == 4_000_000 && special.audioInput == 5_000_000 && special.audioOutput == 6_000_000)
        #expect(special.imageInput == 7_000_000 && special.imageOutput == 8_000_000)
        #expect(special.long == TokenPrice(input: 2_000_000, output: 4_000_000))
        #expect(price.price(of: .flex) == TokenPrice(input: 500_000, output: 1_000_000, longestPrompt: 9))
        #expect(special.tiers.keys.sorted { $0.rawValue < $1.rawValue } == [.fast, .flex])
    }

    @Test(arguments: [
        (
            "models: {m: {input: 1, output: 1, tiers: {slow: {input: 1, output: 1}}}}",
            "1:43: error: model \"m\": there is no tier \"slow\": use flex, priority, batch, ultrafast, fast"
        ),
        (
            "models: {m: {input: 1, output: 1, tiers: {flex: {input: 1}}}}",
            "1:43: error: model \"m\", tier flex has no output: add output: and USD per million tokens"
        ),
        (
            "models: {m: {input: 1, output: 1, long: {input: 1, output: 1}}}",
            "1:35: error: model \"m\": long needs max_prompt: add it, or remove long"
        ),
        ("models: {m: {input: 1}}", "1:10: error: model \"m\" has no output: add output: and USD per million tokens"),
        (
            "models: {m: {input: -1, output: 1}}",
            "1:21: error: input: found \"-1\", expected USD per million tokens such as 0.15 (at most 1000000, six digits "
                + "after the point)"
        ),
        (
            "models:\n  m: {inputs: 1, output: 1}",
            "2:7: error: unknown key \"inputs\": did you mean \"input\"?"
        ),
        ("model: {}", "1:1: error: unknown key \"model\": did you mean \"models\"?"),
        ("- a", "1:1: error: the file: found a list, expected a mapping of the keys models"),
        (
            "models: {a*b: {input: 1, output: 1}}",
            "1:10: error: model \"a*b\": '*' may only be the last character of a "
                + "pattern, such as \"gpt-*\", or stand alone"
        ),
    ]) func mistakesInItHaveTheirPlaceInIt(_ text: String, _ issue: String) throws {
        #expect(try issues(text) == ["prices.yaml:" + issue])
    }

    @Test func issuesOfBothFilesAreReportedTogether() throws {
        _ = try folder.file("prices.yaml", "models: {m: {input: x, output: 1}}")
        let file = try folder.file("h.yaml", "\(PricesTests.upstream)prices: prices.yaml\nloops: 0\n")
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.load(path: file, environment: [:])
        }
        let files = error?.issues.map { $0.file.split(separator: "/").last.map(String.init) ?? "" }
        #expect(files == ["h.yaml", "prices.yaml"])
    }

    @Test func missingFileIsReportedAtThePlaceOfItsName() {
        BadInput(
            PricesTests.upstream + "prices: /nowhere.yaml\n",
            "2:9: error: prices: found \"/nowhere.yaml\", there is no such file: check the path"
        ).check()
    }
}

@Suite struct TokenPriceTests {
    private let price = TokenPrice(
        input: 1_250_000, cachedInput: 125_000, cacheWrite: 1_500_000, output: 10_000_000, longestPrompt: 1000)

    @Test func everyKindOfTokenHasItsOwnPrice() {
        #expect(price.cost(prompt: 100, completion: 10) == 225_000_000)
        #expect(
            price.cost(prompt: 100, cached: 60, written: 30, completion: 0) == 10 * 1_250_000 + 60 * 125_000 + 30
                * 1_500_000)
        #expect(price.cost(prompt: 0, completion: 0) == 0)
        #expect(price.cost(prompt: 1000, completion: 0) != nil && price.cost(prompt: 1001, completion: 0) == nil)
        let plain = TokenPrice(input: 2, output: 3)
        #expect(plain.cost(prompt: 10, cached: 10, written: 0, completion: 0) == 20)
    }

    @Test(arguments: [
        (1001, 0, 0, 0), (10, 11, 0, 0), (10, 6, 5, 0), (-1, 0, 0, 0), (1, 0, 0, -1), (1, 0, 0, .max), (1, -1, 0, 0),
    ]) func impossibleUsageHasNoCost(_ prompt: Int, _ cached: Int, _ written: Int, _ completion: Int) {
        #expect(price.cost(prompt: prompt, cached: cached, written: written, completion: completion) == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("1", 1_000_000), ("1.25", 1_250_000), ("0.000001", 1), ("007.50", 7_500_000), ("1.", nil),
            (".5", nil),
            ("", nil), ("1.0000001", nil), ("-1", nil), ("1e3", nil), ("1.2.3", nil), ("999999999999999", nil),
            ("١", nil),
        ] as [(String, Int?)]) func decimalsAreReadExactly(_ text: String, _ number: Int?)
    {
        #expect(DecimalText.number(text, digits: 6) == number)
    }

    @Test(arguments: [
        (0, "0"), (1, "0.000000000001"), (225_000_000, "0.000225"), (12_000_000_000_000, "12"),
        (1_500_000_000_000, "1.5"), (Int.max, "9223372.036854775807"),
        (-1_500_000_000_000, "-1.5"), (-12_000_000_000_000, "-12"), (Int.min, "-9223372.036854775808"),
    ]) func decimalsAreWrittenWithoutZerosAtTheirEnd(_ number: Int, _ text: String) {
        #expect(DecimalText.text(number, digits: 12) == text)
    }
}
