import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Cached responses that outlive the process; the test acts as the store.
@Suite struct CacheStoreTests {
    typealias Plan = PlannedTransport.Plan

    private static let whole = Plan.role + Plan.content("A") + Plan.finish + CacheFormsTests.usage + Plan.done
    private static let plain = Plan.role + Plan.content("A") + Plan.finish + Plan.done

    private let store = ManualStore()

    /// Creates a separate gateway on the same store.
    private func routing(_ cache: CacheConfiguration = CacheConfiguration()) -> ManualRouting {
        ManualRouting(targets: 1, cacheStore: store) { model, _ in model.cache = cache }
    }

    private func answer(_ routing: ManualRouting) {
        guard let call = routing.upstreams[0].calls.last else { return }
        call.respond()
        call.body.send(Self.whole)
        call.body.finish()
    }

    private func keepOne(_ cache: CacheConfiguration = CacheConfiguration()) {
        let routing = routing(cache)
        _ = routing.chat()
        store.answer()
        answer(routing)
    }

    @Test func storedResponseIsServedAfterARestartAndThenCached() {
        keepOne()
        let routing = routing()
        let exchange = routing.chat()
        #expect(exchange.response == nil && routing.upstreams[0].calls.isEmpty)
        store.answer()
        #expect(exchange.client.text == Self.plain && exchange.fields[.xHeadgateCache] == "hit")
        #expect(exchange.fields[.age] == "0" && routing.upstreams[0].calls.isEmpty)
        #expect(routing.chat().client.text == Self.plain && store.waiting == 0)
        exchange.complete()
        #expect(routing.log.all[0].contains(#""cache":"hit""#) && routing.log.all[0].contains(#""model":"m""#))
    }

    @Test(arguments: [(nil, false, 0), ("hg-0123456789abcdef", false, 1), (nil, true, 1)])
    func sharedStoreHasNoResponsesOfKeylessCallers(_ key: String?, _ isShared: Bool, _ kept: Int) {
        let store = ImmediateStore(isOfSeveralGateways: true)
        let routing = ManualRouting(targets: 1, cacheStore: store, clientKey: key) { model, _ in
            model.cache = CacheConfiguration(isShared: isShared)
        }
        let exchange = routing.chat()
        answer(routing)
        #expect(exchange.client.text == Self.plain && store.count == kept)
    }

    @Test func concurrentRequestsWaitForTheSameResponse() {
        keepOne()
        let routing = routing()
        let exchanges = [
            routing.chat(), routing.chat(), routing.chat(extra: #","stream_options":{"include_usage":true}"#),
        ]
        #expect(store.waiting == 1)
        store.answer()
        #expect(exchanges.map(\.client.text) == [Self.plain, Self.plain, Self.whole])
        #expect(routing.upstreams[0].calls.isEmpty)
    }

    @Test func demandForAFreshResponseSkipsTheLookup() {
        keepOne()
        let routing = routing()
        _ = routing.chat()
        let fresh = routing.chat(fields: [.cacheControl: "no-cache"])
        #expect(routing.upstreams[0].calls.count == 1)
        store.answer()
        #expect(fresh.response == nil)
        answer(routing)
        #expect(fresh.client.text == Self.plain && fresh.fields[.xHeadgateCache] == "miss")
    }

    @Test func storedStreamServesAWholeResponse() {
        keepOne()
        let routing = routing()
        let exchange = routing.chat(stream: false)
        store.answer()
        #expect(exchange.client.text.contains(#""content":"A""#) && exchange.fields[.contentType] == "application/json")
    }

    @Test func missIsSentUpstream() {
        let routing = routing()
        let exchange = routing.chat()
        store.answer()
        answer(routing)
        #expect(exchange.client.text == Self.plain && exchange.fields[.xHeadgateCache] == "miss" && store.count == 1)
    }

    @Test func slowStoreIsNotAwaited() {
        keepOne()
        let routing = routing()
        let exchange = routing.chat()
        routing.clock.advance(by: .seconds(1))
        #expect(routing.upstreams[0].calls.count == 1)
        store.answer()
        answer(routing)
        #expect(exchange.client.text == Self.plain && exchange.fields[.xHeadgateCache] == "miss")
    }

    @Test func disconnectEndsTheLookup() {
        let routing = routing()
        routing.chat().leave()
        store.answer()
        #expect(routing.upstreams[0].calls.isEmpty)
        let next = routing.chat()
        store.answer()
        answer(routing)
        #expect(next.client.text == Self.plain)
    }

    @Test func truncatedResponseIsNotStored() {
        let routing = routing()
        _ = routing.chat()
        store.answer()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.role + Plan.content("A"))
        call.body.fail(.truncatedBody)
        #expect(store.count == 0)
    }

    @Test func freshDemandSkipsTheStore() {
        keepOne()
        let routing = routing()
        _ = routing.chat(fields: [.cacheControl: "no-cache"])
        #expect(store.waiting == 0 && routing.upstreams[0].calls.count == 1)
    }

    @Test func storedStreamKeepsItsPace() {
        let cache = CacheConfiguration(replay: .paced)
        let first = routing(cache)
        _ = first.chat()
        store.answer()
        let call = first.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.role)
        first.clock.advance(by: .seconds(2))
        call.body.send(Plan.content("A") + Plan.finish + CacheFormsTests.usage + Plan.done)
        call.body.finish()
        let routing = routing(cache)
        let exchange = routing.chat()
        store.answer()
        #expect(exchange.client.text == Plan.role)
        routing.clock.advance(by: .seconds(2))
        #expect(exchange.client.text == Self.plain)
    }
}

/// Replies when the test releases it.
final class ManualStore: CachedResponseStore {
    private let kept = ImmediateStore()
    private let questions = Locked<[@Sendable () -> Void]>([])

    var count: Int { kept.count }
    var waiting: Int { questions.withLock { $0.count } }

    func find(
        _ keys: [CacheKey], at now: Int64, maximumAge: Int64?, completion: @escaping @Sendable (FoundResponse?) -> Void
    ) {
        let kept = kept
        questions.withLock { $0.append { kept.find(keys, at: now, maximumAge: maximumAge, completion: completion) } }
    }

    func keep(_ response: CachedResponse, as key: CacheKey) { kept.keep(response, as: key) }

    func answer() {
        let questions = questions.withLock { questions in
            defer { questions = [] }
            return questions
        }
        for question in questions { question() }
    }
}

/// Answers at once.
final class ImmediateStore: CachedResponseStore {
    private let files = Locked<[CacheKey: [UInt8]]>([:])
    let isOfSeveralGateways: Bool

    init(isOfSeveralGateways: Bool = false) { self.isOfSeveralGateways = isOfSeveralGateways }

    var count: Int { files.withLock { $0.count } }

    func find(
        _ keys: [CacheKey], at now: Int64, maximumAge: Int64?, completion: @escaping @Sendable (FoundResponse?) -> Void
    ) {
        let files = files.withLock { $0 }
        let found = keys.compactMap { key in
            files[key].flatMap { CachedResponse(file: $0, for: key) }.map { FoundResponse($0, key) }
        }
        completion(found.first { $0.response.isFresh(at: now, maximumAge: maximumAge) })
    }

    func keep(_ response: CachedResponse, as key: CacheKey) {
        files.withLock { $0[key] = response.file(for: key) }
    }
}
