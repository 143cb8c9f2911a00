import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Requests to a model with a response cache; the test controls both ends and the clock.
@Suite struct ResponseCacheMiddlewareTests {
    typealias Plan = PlannedTransport.Plan

    private static let whole = Plan.role + Plan.content("A") + Plan.content("B") + Plan.finish + Plan.done

    private func routing(_ cache: CacheConfiguration = CacheConfiguration()) -> ManualRouting {
        ManualRouting(targets: 1) { model, _ in model.cache = cache }
    }

    private func calls(_ routing: ManualRouting) -> [ManualTransport.Call] { routing.upstreams[0].calls }

    private func answer(_ call: ManualTransport.Call) {
        call.respond()
        call.body.send(Self.whole)
        call.body.finish()
    }

    @Test func streamIsReplayedExactlyWithoutTheUpstream() {
        let routing = routing()
        let first = routing.chat()
        answer(calls(routing)[0])
        #expect(first.client.text == Self.whole && first.fields[.xHeadgateCache] == "miss")
        let second = routing.chat()
        #expect(second.client.text == Self.whole && second.fields[.xHeadgateCache] == "hit")
        #expect(second.fields[.age] == "0" && second.fields[.contentType] == first.fields[.contentType])
        #expect(calls(routing).count == 1)
        first.complete()
        second.complete()
        #expect(routing.log.all[0].contains(#""cache":"miss""#) && routing.log.all[1].contains(#""cache":"hit""#))
        #expect(routing.log.all[1].contains(#""model":"m""#) && !routing.log.all[1].contains("upstream"))
    }

    @Test func hitDoesNotReportAnotherRequestsAttempts() {
        let routing = ManualRouting(targets: 2) { model, _ in model.cache = CacheConfiguration() }
        let first = routing.chat()
        routing.upstreams[0].calls[0].fail(.closedBeforeResponse)
        answer(routing.upstreams[1].calls[0])
        #expect(first.fields[.xHeadgateAttempts] == "2")
        let second = routing.chat()
        #expect(second.fields[.xHeadgateCache] == "hit" && second.fields[.xHeadgateAttempts] == nil)
    }

    @Test func usageNextToChoicesStaysIfUsageIsHidden() {
        let beside = #"data: {"choices":[{"index":0,"delta":{"content":"A"}}],"usage":{"prompt_tokens":1}}"# + "\n\n"
        let alone = #"data: {"choices":[],"usage":{"prompt_tokens":1}}"# + "\n\n"
        let filtered = Array((beside + alone + beside).utf8).withUnsafeBytes(UsageFilter.filtered)
        #expect(String(decoding: filtered, as: UTF8.self) == beside + beside)
    }

    @Test func wholeResponseIsReplayed() {
        let routing = routing()
        let first = routing.chat(stream: false)
        calls(routing)[0].respond(type: "application/json")
        calls(routing)[0].body.send(
            #"{"id":"c","choices":[{"index":0,"message":{"content":"A"},"finish_reason":"stop"}]}"#)
        calls(routing)[0].body.finish()
        let second = routing.chat(stream: false)
        #expect(second.client.text == first.client.text && !second.client.text.isEmpty)
        #expect(calls(routing).count == 1)
    }

    @Test(arguments: [true, false]) func largeResponseIsSharedByItsReadersAndAdmitted(_ asksUsage: Bool) {
        let routing = routing()
        let extra = asksUsage ? #","stream_options":{"include_usage":true}"# : ""
        let first = routing.chat(extra: extra)
        let call = calls(routing)[0]
        call.respond()
        call.body.send(Plan.role)
        for _ in 0..<12 { call.body.send(Plan.content(String(repeating: "x", count: 20_000))) }
        call.body.send(Plan.finish + Plan.done)
        call.body.finish()
        func address(_ exchange: RoutedExchange) -> Int? {
            guard case .bytes(let bytes)? = exchange.response?.body else { return nil }
            return bytes.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
        }
        let readers = [routing.chat(extra: extra), routing.chat(extra: extra)]
        #expect(readers.allSatisfy { $0.client.text == first.client.text && $0.fields[.xHeadgateCache] == "hit" })
        #expect(calls(routing).count == 1)
        let bodies = routing.snapshot.relay.bodies
        if asksUsage {
            #expect(address(readers[0]) == address(readers[1]) && address(readers[0]) != nil)
            #expect(bodies.memory.held >= 2 * 240_000)
        } else {
            #expect(readers.allSatisfy { $0.client.pieces.count > 1 && $0.client.ends == ["complete"] })
            #expect(bodies.memory.held == 0)
        }
        let others = bodies.allowance()
        #expect(others.grow(to: bodies.limit - bodies.memory.held))
        #expect(routing.chat(extra: extra).status == 503)
    }

    @Test func usageAfterASliceIsHidden() {
        let routing = routing()
        _ = routing.chat()
        let call = calls(routing)[0]
        call.respond()
        let before = Plan.role + Plan.finish + Plan.content(String(repeating: "x", count: 70_000))
        call.body.send(before + CacheFormsTests.usage + Plan.done)
        call.body.finish()
        let again = routing.chat()
        #expect(again.fields[.xHeadgateCache] == "hit" && again.client.pieces.count > 1)
        #expect(again.client.text == before + Plan.done)
    }

    @Test(arguments: [(64 << 10, true), ((64 << 10) + 1, false)])
    func largeResponseIsSentInSlicesIfItsUsageIsHidden(_ size: Int, _ isWhole: Bool) {
        let routing = routing()
        let rest = Plan.role + Plan.content("") + Plan.finish + Plan.done
        _ = routing.chat()
        let call = calls(routing)[0]
        call.respond()
        call.body.send(Plan.role)
        call.body.send(Plan.content(String(repeating: "x", count: size - rest.utf8.count)) + Plan.finish + Plan.done)
        call.body.finish()
        let hit = routing.chat()
        #expect(hit.client.text.utf8.count == size && hit.fields[.xHeadgateCache] == "hit")
        if case .bytes? = hit.response?.body { #expect(isWhole) } else { #expect(!isWhole) }
    }

    @Test(arguments: [#","temperature":0.5"#, #","store":true"#, #","seed":7"#])
    func otherRequestsAreSent(_ extra: String) {
        let routing = routing()
        _ = routing.chat()
        answer(calls(routing)[0])
        let other = routing.chat(extra: extra)
        #expect(calls(routing).count == 2)
        answer(calls(routing)[1])
        #expect(other.fields[.xHeadgateCache] == (extra.contains("seed") ? "miss" : "bypass"))
    }

    @Test func forwardedHeadersDistinguishRequests() {
        let routing = ManualRouting(targets: 1) { model, upstream in
            model.cache = CacheConfiguration(isShared: true)
            upstream.forwardedHeaders = ["User-Agent"]
        }
        for agent in ["a", "b", "a"] {
            _ = routing.chat(fields: [.userAgent: agent, .acceptLanguage: agent])
            if let call = calls(routing).last, call.body.calls.isEmpty { answer(call) }
        }
        #expect(calls(routing).count == 2)
    }

    @Test func attemptIsStillCountedAfterItsFirstClientLeft() {
        let routing = routing()
        let first = routing.chat()
        let second = routing.chat()
        let activity = routing.snapshot.relay.upstreams[0].activity
        #expect(activity.requestsInFlight == 1)
        first.leave()
        #expect(activity.requestsInFlight == 1)
        answer(calls(routing)[0])
        #expect(activity.requestsInFlight == 0 && second.client.text == Self.whole)
    }

    @Test(arguments: ["no-store", "no-cache", "max-age=0"])
    func clientCanDemandAFreshResponse(_ directive: String) {
        let routing = routing()
        _ = routing.chat()
        answer(calls(routing)[0])
        _ = routing.chat(fields: [.cacheControl: directive])
        #expect(calls(routing).count == 2)
    }

    @Test func truncatedStreamIsNotCached() {
        let routing = routing()
        _ = routing.chat()
        calls(routing)[0].respond()
        calls(routing)[0].body.send(Plan.role + Plan.content("A"))
        calls(routing)[0].body.fail(.truncatedBody)
        _ = routing.chat()
        #expect(calls(routing).count == 2)
        calls(routing)[1].respond(500, type: "application/json")
        calls(routing)[1].body.finish()
        _ = routing.chat()
        #expect(calls(routing).count == 3)
    }

    @Test func uncleanlyEndedStreamIsNotCached() {
        let routing = routing()
        let first = routing.chat()
        let call = calls(routing)[0]
        call.respond()
        call.body.send(Plan.role + Plan.content("A") + Plan.finish)
        call.body.fail(.truncatedBody)
        #expect(first.client.ends == ["complete"])
        _ = routing.chat()
        #expect(calls(routing).count == 2)
    }

    @Test(arguments: [false, true]) func keysShareResponsesOnlyOnRequest(_ isShared: Bool) async {
        var model = ModelConfiguration(name: "plain", upstream: "up")
        model.cache = CacheConfiguration(isShared: isShared)
        let transport = PlannedTransport(
            .json(#"{"id":"c","choices":[{"index":0,"message":{"content":"A"},"finish_reason":"stop"}]}"#))
        let running = InProcessGateway(
            transport: transport,
            upstreams: [
                UpstreamDefinition(
                    name: "up", baseURL: BaseURL(endpoint: .tls(host: "h", port: 443), pathPrefix: "/v1"),
                    credential: nil, transport: transport)
            ], models: [model], keys: InProcessGateway.keys, state: GatewayState())
        var found: [String?] = []
        for key in [InProcessGateway.clientKey, InProcessGateway.limitedKey, InProcessGateway.limitedKey] {
            found.append(await running.chat(key: key).headerFields[.xHeadgateCache])
        }
        #expect(found == ["miss", isShared ? "hit" : "miss", "hit"])
    }

    @Test func concurrentIdenticalRequestsAreSentOnce() {
        let routing = routing()
        let first = routing.chat()
        let second = routing.chat()
        let call = calls(routing)[0]
        call.respond()
        call.body.send(Plan.role + Plan.content("A"))
        let late = routing.chat()
        #expect(second.client.text == Plan.role + Plan.content("A") && late.client.text == second.client.text)
        call.body.send(Plan.content("B") + Plan.finish + Plan.done)
        call.body.finish()
        for exchange in [first, second, late] { #expect(exchange.client.text == Self.whole) }
        #expect(calls(routing).count == 1)
        #expect(first.fields[.xHeadgateCache] == "miss" && late.fields[.xHeadgateCache] == "hit")
    }

    @Test func failureOfTheFirstIsReportedToAll() {
        let routing = routing()
        let exchanges = [routing.chat(), routing.chat()]
        calls(routing)[0].fail(.connect)
        #expect(exchanges.map(\.status) == [502, 502] && calls(routing).count == 1)
        _ = routing.chat()
        #expect(calls(routing).count == 2)
    }

    @Test(arguments: [true, false])
    func firstClientCanLeave(_ beforeTheHead: Bool) {
        let routing = routing()
        let first = routing.chat()
        let second = routing.chat()
        let call = calls(routing)[0]
        if beforeTheHead { first.leave() }
        call.respond()
        call.body.send(Plan.role + Plan.content("A"))
        if !beforeTheHead { first.hangUp() }
        call.body.send(Plan.content("B") + Plan.finish + Plan.done)
        call.body.finish()
        #expect(second.client.text == Self.whole && !call.isCancelled && !call.body.calls.contains("cancel"))
        #expect(routing.chat().client.text == Self.whole && calls(routing).count == 1)
    }

    @Test func streamWithoutAFinishReasonIsNotCached() {
        let routing = routing()
        _ = routing.chat()
        calls(routing)[0].respond()
        calls(routing)[0].body.send(Plan.role + Plan.content("A") + Plan.done)
        calls(routing)[0].body.finish()
        _ = routing.chat()
        #expect(calls(routing).count == 2)
    }

    @Test(arguments: [#"{"id":"c","choices":[]}"#, #"{"id":"c","choices":[{"index":0,"message":{"content":"A"}}]}"#])
    func unfinishedResponseIsNotCached(_ answer: String) {
        let routing = routing()
        _ = routing.chat(stream: false)
        calls(routing)[0].respond(type: "application/json")
        calls(routing)[0].body.send(answer)
        calls(routing)[0].body.finish()
        _ = routing.chat(stream: false)
        #expect(calls(routing).count == 2)
    }

    @Test(arguments: ["no-cache", "max-age=0"])
    func demandForAFreshResponseJoinsNoFlight(_ directive: String) {
        let routing = routing()
        _ = routing.chat()
        let fresh = routing.chat(fields: [.cacheControl: directive])
        #expect(calls(routing).count == 2)
        answer(calls(routing)[1])
        #expect(fresh.client.text == Self.whole && fresh.fields[.xHeadgateCache] == "miss")
        _ = routing.chat(fields: [.cacheControl: "max-age=60"])
        #expect(calls(routing).count == 2)
    }

    @Test(arguments: [true, false]) func freshAnswerIsNotReplacedByAnEarlierOne(_ endsFirst: Bool) {
        let routing = routing()
        _ = routing.chat()
        _ = routing.chat(fields: [.cacheControl: "no-cache"])
        let (early, fresh) = (calls(routing)[0], calls(routing)[1])
        func end(_ call: ManualTransport.Call, _ text: String) {
            call.respond()
            call.body.send(Plan.role + Plan.content(text) + Plan.finish + Plan.done)
            call.body.finish()
        }
        if endsFirst { end(early, "old") }
        end(fresh, "new")
        if !endsFirst { end(early, "old") }
        #expect(routing.chat().client.text.contains("new") && calls(routing).count == 2)
    }

    @Test(arguments: ["store", "temperature"]) func cacheabilityDependsOnTheSentRequest(_ name: String) {
        let value = ["store": "true", "temperature": "1"][name] ?? ""
        let parameter = ParameterRules.Parameter(name: name, json: Array(value.utf8))
        let routing = ManualRouting(targets: 1) { model, _ in
            model.cache = CacheConfiguration()
            model.targets[0].parameters = ParameterRules(overrides: [parameter])
        }
        let first = routing.chat()
        answer(calls(routing)[0])
        _ = routing.chat()
        #expect(first.fields[.xHeadgateCache] == "bypass" && calls(routing).count == 2)
        let calm = ManualRouting(targets: 1) { model, _ in
            model.cache = CacheConfiguration()
            model.targets[0].parameters = ParameterRules(strip: [name])
        }
        #expect(calm.chat(extra: ",\"\(name)\":\(value)").response == nil)
        answer(calls(calm)[0])
        #expect(calm.chat(extra: ",\"\(name)\":\(value)").fields[.xHeadgateCache] == "hit")
    }

    @Test func lastDisconnectCancelsTheUpstream() {
        let routing = routing()
        let exchanges = [routing.chat(), routing.chat()]
        for exchange in exchanges { exchange.leave() }
        #expect(calls(routing)[0].isCancelled)
        let others = [routing.chat(), routing.chat()]
        let call = calls(routing)[1]
        call.respond()
        call.body.send(Plan.role)
        for other in others { other.hangUp() }
        #expect(call.body.calls.contains("cancel"))
    }

    @Test func streamCanKeepItsPace() {
        let routing = routing(CacheConfiguration(replay: .paced))
        _ = routing.chat()
        let call = calls(routing)[0]
        call.respond()
        call.body.send(Plan.role)
        routing.clock.advance(by: .seconds(2))
        call.body.send(Plan.content("A") + Plan.finish + Plan.done)
        call.body.finish()
        let second = routing.chat()
        #expect(second.client.text == Plan.role)
        routing.clock.advance(by: .milliseconds(1_999))
        #expect(second.client.text == Plan.role)
        routing.clock.advance(by: .milliseconds(1))
        #expect(second.client.text.hasSuffix(Plan.done) && second.client.ends == ["complete"])
    }

    @Test func upstreamIsNotPausedWhileItsResponseHasRoom() {
        let routing = routing()
        let exchange = routing.chat()
        let call = calls(routing)[0]
        call.respond()
        call.body.send(Plan.role)
        call.body.send(Plan.content(String(repeating: "x", count: 100_000)))
        #expect(!call.body.calls.contains("pause") && exchange.client.text.utf8.count > 100_000)
    }

    /// Sends a stream that is too large to be cached, while one of its readers does not read.
    private func sendLarge(_ routing: ManualRouting, pausing exchange: RoutedExchange) -> (any BodySource)? {
        let call = calls(routing)[0]
        call.respond()
        call.body.send(Plan.role)
        guard case .stream(let source)? = exchange.response?.body else { return nil }
        source.pause()
        for _ in 0..<160 { call.body.send(Plan.content(String(repeating: "x", count: 60_000))) }
        return source
    }

    @Test func upstreamWaitsForTheReaderOfALargeResponse() throws {
        let routing = routing()
        let exchange = routing.chat()
        let source = try #require(sendLarge(routing, pausing: exchange))
        let body = calls(routing)[0].body
        #expect(body.calls.contains("pause") && !body.calls.contains("resume"))
        source.resume()
        #expect(body.calls.last == "resume" && exchange.client.text.utf8.count > 9_000_000)
        body.send(Plan.finish + Plan.done)
        body.finish()
        #expect(exchange.client.ends == ["complete"])
        _ = routing.chat()
        #expect(calls(routing).count == 2)
    }

    @Test func slowReaderOfALargeResponseFallsBehindAnother() throws {
        let routing = routing()
        let (slow, fast) = (routing.chat(), routing.chat())
        let source = try #require(sendLarge(routing, pausing: slow))
        #expect(!calls(routing)[0].body.calls.contains("pause"))
        #expect(fast.client.text.utf8.count > 9_000_000 && fast.client.ends.isEmpty)
        source.resume()
        #expect(slow.client.text.utf8.count < 9_000_000 && slow.client.text.contains(#""error""#))
        #expect(slow.client.ends.count == 1)
    }

    @Test func hitHasItsAge() {
        let state = GatewayState()
        func routing(_ seconds: Int64) -> ManualRouting {
            ManualRouting(targets: 1, state: state, secondsLater: seconds) { model, _ in
                model.cache = CacheConfiguration()
            }
        }
        let first = routing(0)
        _ = first.chat()
        answer(calls(first)[0])
        #expect(routing(7).chat().fields[.age] == "7")
    }

    @Test func modelWithoutACacheGetsEveryRequest() {
        let routing = ManualRouting(targets: 1)
        let first = routing.chat()
        answer(calls(routing)[0])
        _ = routing.chat()
        #expect(calls(routing).count == 2 && first.fields[.xHeadgateCache] == nil)
    }
}
