import HeadgateHTTP
import Synchronization
import Testing

@Suite struct PulledBodyTests {
    /// A body that ends after its chunks, or with the task that pulls them.
    private final class Chunks: PulledBody {
        private let chunks: [String]
        private let taken = Atomic(0)
        private let cancellations = Atomic(0)

        init(_ chunks: String...) { self.chunks = chunks }

        var cancels: Int { cancellations.load(ordering: .relaxed) }

        func next() async throws -> [UInt8]? {
            try Task.checkCancellation()
            let index = taken.wrappingAdd(1, ordering: .relaxed).oldValue
            return chunks.indices.contains(index) ? Array(chunks[index].utf8) : nil
        }

        func cancel() { cancellations.wrappingAdd(1, ordering: .relaxed) }
        func discardRest() {}
    }

    private func collect(_ source: Chunks, upTo limit: Int) async throws -> String {
        String(decoding: try await HTTPBody.stream(source).collect(upTo: limit), as: UTF8.self)
    }

    @Test func chunksAreJoinedInOrder() async throws {
        let source = Chunks("ab", "", "c")
        #expect(try await collect(source, upTo: 3) == "abc")
        #expect(source.cancels == 0)
    }

    @Test func chunkAboveTheLimitCancelsTheSource() async {
        let source = Chunks("ab", "cd")
        await #expect(throws: HTTPSyntaxError.bodyTooLarge(limit: 3)) { try await collect(source, upTo: 3) }
        #expect(source.cancels == 1)
    }

    @Test func collectionEndsWithItsTask() async {
        let reader = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await HTTPBody.stream(Chunks("a")).collect(upTo: 1)
        }
        await #expect(throws: CancellationError.self) { try await reader.value }
    }
}
