import HeadgateConfiguration
import HeadgateDialects
import HeadgateEventLoop
import HeadgatePrices
import HeadgatePrimitives
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Reservation of a request before its use is known.
@Suite struct TokenReserveTests {
    private static let most = TokenUsage.largestCount
    private static let standard = TokenReserve.standardOutput

    private func reserve(
        _ members: String, _ operation: RelayOperation = .createChatCompletion, most: Int? = nil
    ) throws -> TokenReserve {
        let rest = members.isEmpty ? "" : ",\(members)"
        let body = #"{"model":"m","messages":[]\#(rest)}"#
        let envelope = try RequestEnvelope(Array(body.utf8), shape: operation.shape)
        return TokenReserve(envelope, TokenUse(ofOperation: operation.id), most: most)
    }

    @Test(arguments: [
        ("", 4096), (#""max_tokens":64000"#, 64_000), (#""max_completion_tokens":9"#, 9),
        (#""max_tokens":7,"max_completion_tokens":64000"#, 64_000), (#""max_tokens":1,"max_tokens":64000"#, 64_000),
        (#""max_tokens":0"#, standard), (#""max_tokens":null"#, standard), (#""n":10"#, 10 * standard),
        (#""n":10,"max_tokens":500"#, 5000), (#""max_tokens":9223372036854775807,"n":128"#, most),
    ]) func statedMaximumIsReservedForAllChoices(_ members: String, _ output: Int) throws {
        #expect(try reserve(members).output == output)
    }

    @Test(arguments: [
        (RelayOperation.createCompletion, #""prompt":["a","b","c"],"max_tokens":100,"best_of":2"#, 600),
        (.createCompletion, #""best_of":10,"n":3,"max_tokens":500"#, 5000),
        (.createCompletion, #""best_of":"ten","max_tokens":500"#, 500),
        (.createCompletion, #""best_of":-4,"max_tokens":500"#, 500),
        (.createCompletion, #""best_of":9223372036854775807,"max_tokens":9223372036854775807"#, most),
        (.createCompletion, #""prompt":[1,2,3],"max_tokens":100"#, 100),
        (.createCompletion, #""prompt":[[1,2],[3]],"max_tokens":100"#, 200),
        (.createCompletion, #""prompt":"a","max_tokens":100,"n":4"#, 400),
        (.createResponse, #""max_output_tokens":32000"#, 32_000), (.createResponse, "", standard),
        (.createMessage, #""max_tokens":32000"#, 32_000),
        (.ollamaChat, #""options":{"num_predict":700}"#, 700),
        (.ollamaGenerate, #""options":{"num_predict":-1}"#, standard),
        (.ollamaGenerate, #""options":null"#, standard), (.createImage, #""n":4"#, 4 * 512),
        (.createEmbedding, #""n":4"#, 0), (.countMessageTokens, #""max_tokens":9"#, 0),
        (.countResponseTokens, #""max_output_tokens":9"#, 0), (.compactResponse, "", standard),
    ]) func everyAPIsMaximumIsRead(_ operation: RelayOperation, _ members: String, _ output: Int) throws {
        #expect(try reserve(members, operation).output == output)
    }

    @Test(arguments: [
        ("", 8192), (#""max_tokens":64000"#, 8192), (#""max_tokens":100"#, 100), (#""n":2,"max_tokens":64000"#, 16_384),
    ]) func reserveIsCappedByTheModelsMaximum(_ members: String, _ output: Int) throws {
        #expect(try reserve(members, most: 8192).output == output)
    }

    @Test func responseWithoutContentIsChargedAtMostTheStandard() throws {
        #expect(try reserve(#""max_tokens":64000"#).assumedOutput == Self.standard)
        #expect(try reserve(#""max_tokens":64000,"n":2"#).assumedOutput == 2 * Self.standard)
        #expect(try reserve(#""max_tokens":100"#).assumedOutput == 100)
    }

    @Test(arguments: [
        ("words of text ", 100_000, 350_000), ("words of text ", 10_000, 35_000), ("QUJD", 100_000, 16_384),
        ("QUJD", 20_000, 16_384), ("word ", 100, 125),
    ]) func promptCountsTextAndNotPictures(_ text: String, _ count: Int, _ input: Int) throws {
        let content = String(repeating: text, count: count)
        let isPicture = text == "QUJD"
        let found = try reserve(isPicture ? #""x":"data:image/png;base64,\#(content)""# : #""x":"\#(content)""#)
        #expect((input...input + 20).contains(found.input), "\(found.input)")
    }

    @Test(arguments: [
        (#","max_tokens":5000"#, 4), (#","max_tokens":500,"n":10"#, 4),
        ("", 5), (#","max_tokens":9223372036854775807"#, 1), (#","max_tokens":300"#, 60),
    ]) func burstPassesABudgetByOneReserveAtMost(_ extra: String, _ admitted: Int) {
        let state = GatewayState()
        let routing = ManualRouting(
            targets: 1, budget: BudgetConfiguration(.tokens(20_000), every: .day),
            state: state)
        let exchanges = (0..<60).map { _ in routing.chat(stream: false, extra: extra) }
        #expect(routing.upstreams[0].calls.count == admitted)
        #expect(exchanges.count { $0.status == 429 } == 60 - admitted)
        #expect(exchanges.allSatisfy { $0.status != 429 || $0.client.text.contains("reserved for requests in flight") })
    }

    @Test func burstExceedsAMoneyBudgetByOneReserveAtMost() {
        let state = GatewayState()
        let price = PriceEntry(
            name: "m", price: TokenPrice(input: 1_000_000, output: 25_000_000, longestPrompt: 10), source: .builtIn)
        // A token costs 25 millionths of a dollar, so 64,000 tokens cost 1.6 USD.
        for (extra, admitted) in [(#","max_tokens":64000"#, 13), (#","max_tokens":9223372036854775807"#, 1)] {
            state.limits.withLock { $0 = LimitCounters() }
            let routing = ManualRouting(
                targets: 1, prices: PriceList(own: [price]),
                budget: BudgetConfiguration(.usd(20_000_000_000_000), every: .day),
                state: state)
            for _ in 0..<60 { _ = routing.chat(stream: false, extra: extra) }
            #expect(routing.upstreams[0].calls.count == admitted)
        }
    }

    @Test func burstPassesARateOfTokensByOneReserveAtMost() {
        let state = GatewayState()
        let routing = ManualRouting(targets: 1, state: state) { model, _ in
            model.limits = UsageLimits(tokens: [RateLimit(20_000, per: .day)])
            model.maximumOutput = 7000
        }
        for _ in 0..<60 { _ = routing.chat(stream: false, extra: #","max_tokens":64000"#) }
        #expect(routing.upstreams[0].calls.count == 3)
    }
}
