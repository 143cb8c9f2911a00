import HeadgateHTTP
import HeadgateTesting
import Testing

/// Memory of all bodies: it is bounded, and each body's memory is released however the body ends.
@Suite struct BodyMemoryTests {
    /// A body that arrives when the test sends it.
    private final class Source: BodySource {
        let declaredLength: Int?
        private(set) var isCancelled = false
        private var sink: (any BodySink)?
        var bytesAreProgress = true

        init(declaring length: Int? = nil) { declaredLength = length }

        func start(_ sink: any BodySink) { self.sink = sink }
        func send(_ count: Int) { [UInt8](repeating: 0x20, count: count).withUnsafeBytes { sink?.receive($0) } }
        func finish() { end { $0.finish(.complete) } }
        func fail() { end { $0.fail(HTTPSyntaxError.incompleteBody) } }
        func pause() {}
        func resume() {}
        func cancel() {
            isCancelled = true
            sink = nil
        }

        func discardRest() { cancel() }
        func note(_: BodyProgress) {}

        private func end(_ tell: (any BodySink) -> Void) {
            let sink = sink
            self.sink = nil
            if let sink { tell(sink) }
        }
    }

    /// A body, its outcome, and the allowance that its request holds.
    private final class Request {
        let source: Source
        var allowance: BodyAllowance?
        var result: Result<[UInt8], any Error>?

        init(_ source: Source, _ memory: BodyMemory, limit: Int, bodyLimit: Int = 1000) {
            self.source = source
            allowance = BodyAllowance(of: memory, limit: limit)
            HTTPBody.stream(source).collect(upTo: bodyLimit, within: allowance) { [weak self] in self?.result = $0 }
        }

        // A body and its collector form a reference cycle until one of them ends.
        deinit { source.cancel() }

        var isExhausted: Bool {
            if case .failure(let error)? = result { error is BodyMemory.Exhausted } else { false }
        }
    }

    @Test func declaredLengthReservesNothingUntilItArrives() {
        let memory = BodyMemory()
        let silent = (0..<16).map { _ in Request(Source(declaring: 1000), memory, limit: 1000) }
        #expect(memory.held == 0 && silent.allSatisfy { $0.result == nil })
        silent[0].source.send(600)
        #expect(memory.held == 600)
        silent[1].source.send(401)
        #expect(silent[1].isExhausted && silent[1].source.isCancelled && memory.held == 600)
    }

    @Test func bodyBeyondTheFreeMemoryIsRefusedEarly() {
        let memory = BodyMemory()
        let first = Request(Source(declaring: 600), memory, limit: 1000)
        first.source.send(600)
        let second = Request(Source(declaring: 401), memory, limit: 1000)
        #expect(second.isExhausted && memory.held == 600)
        let third = Request(Source(declaring: 400), memory, limit: 1000)
        #expect(third.result == nil && memory.held == 600)
    }

    @Test func bodyOfUnknownLengthReservesItsGrowth() {
        let memory = BodyMemory()
        let request = Request(Source(), memory, limit: 100)
        request.source.send(60)
        #expect(memory.held == 60)
        request.source.send(41)
        #expect(request.isExhausted && request.source.isCancelled)
        request.allowance = nil
        #expect(memory.held == 0)
    }

    @Test func allowanceIsHeldUntilTheRequestReleasesIt() {
        let memory = BodyMemory()
        let request = Request(Source(declaring: 10), memory, limit: 100)
        request.source.send(10)
        request.source.finish()
        #expect((try? request.result?.get())?.count == 10 && memory.held == 10)
        request.allowance = nil
        #expect(memory.held == 0)
    }

    @Test(arguments: [(50, false), (51, true)]) func moreThanHalfOfTheMemoryIsPressure(_ held: Int, _ isMuch: Bool) {
        let allowance = BodyAllowance(of: BodyMemory(), limit: 100)
        #expect(allowance.grow(to: held) && allowance.isUnderPressure == isMuch)
    }

    /// Memory of other bodies counts, and a body's own memory does not. A reload can lower the limit.
    @Test func roomIsWhatOtherBodiesLeave() {
        let memory = BodyMemory()
        let first = BodyAllowance(of: memory, limit: 100)
        #expect(first.grow(to: 60) && first.hasRoom(for: 100) && !first.hasRoom(for: 101))
        let second = BodyAllowance(of: memory, limit: 100)
        #expect(second.hasRoom(for: 40) && !second.hasRoom(for: 41))
        #expect(second.grow(to: 40) && !second.grow(to: 41) && second.grow(to: 5) && memory.held == 100)
        #expect(BodyAllowance(of: memory, limit: 100).hasRoom(for: 0))
        #expect(!BodyAllowance(of: memory, limit: 99).hasRoom(for: 0))
    }

    @Test func immediateBodyReservesNothing() {
        let memory = BodyMemory()
        var result: Result<[UInt8], any Error>?
        HTTPBody.bytes([1, 2, 3]).collect(upTo: 10, within: BodyAllowance(of: memory, limit: 0)) { result = $0 }
        #expect((try? result?.get()) == [1, 2, 3] && memory.held == 0)
    }

    @Test(arguments: 0..<50) func nothingIsHeldWhenAllRequestsHaveEnded(_ seed: UInt64) {
        var random = SeededGenerator(state: seed)
        let memory = BodyMemory()
        let limit = 2000
        var requests: [Request] = []
        for _ in 0..<300 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let declared = Bool.random(using: &random) ? Int.random(in: 0...800, using: &random) : nil
                requests.append(Request(Source(declaring: declared), memory, limit: limit, bodyLimit: 500))
            case 2: requests.randomElement(using: &random)?.source.send(Int.random(in: 0...300, using: &random))
            case 3: requests.randomElement(using: &random)?.source.finish()
            case 4: requests.randomElement(using: &random)?.source.fail()
            default:
                guard let index = requests.indices.randomElement(using: &random) else { continue }
                // A connection does this if its client has left.
                requests.remove(at: index).source.fail()
            }
            #expect((0...limit).contains(memory.held))
        }
        for request in requests { request.source.fail() }
        requests = []
        #expect(memory.held == 0)
    }
}
