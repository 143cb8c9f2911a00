import HeadgateHTTP
import Testing

@Suite struct HTTPBodyTests {
    /// A source that pushes its chunks inside `start`, or later on demand.
    private final class ScriptedSource: BodySource {
        enum Step {
            case chunk(String)
            case finish(BodyEnd)
            case fail(TransportError.Kind)
        }

        let steps: [Step]
        /// Whether the source pushes one more chunk after it was cancelled.
        let ignoresCancel: Bool
        var bytesAreProgress = true
        private(set) var cancels = 0

        init(_ steps: [Step], ignoresCancel: Bool = false) {
            self.steps = steps
            self.ignoresCancel = ignoresCancel
        }

        func start(_ sink: any BodySink) {
            for step in steps where cancels == 0 || ignoresCancel {
                switch step {
                case .chunk(let text): Array(text.utf8).withUnsafeBytes { sink.receive($0) }
                case .finish(let end): sink.finish(end)
                case .fail(let kind): sink.fail(TransportError(kind))
                }
            }
        }

        func pause() {}
        func resume() {}
        func cancel() { cancels += 1 }
        func discardRest() {}
        func note(_: BodyProgress) {}
    }

    private func collect(_ source: ScriptedSource, upTo limit: Int) async throws -> String {
        String(decoding: try await HTTPBody.stream(source).collect(upTo: limit), as: UTF8.self)
    }

    @Test func wholeBytesAreLimited() async throws {
        #expect(try await HTTPBody.bytes([1, 2, 3]).collect(upTo: 3) == [1, 2, 3])
        #expect(try await HTTPBody.bytes([]).collect(upTo: 0) == [])
        await #expect(throws: HTTPSyntaxError.bodyTooLarge(limit: 2)) {
            try await HTTPBody.bytes([1, 2, 3]).collect(upTo: 2)
        }
    }

    @Test func chunksAreJoinedInOrder() async throws {
        let source = ScriptedSource([.chunk("ab"), .chunk(""), .chunk("c"), .finish(.complete)])
        #expect(try await collect(source, upTo: 3) == "abc")
        #expect(source.cancels == 0)
    }

    @Test func bodyThatClosesTheConnectionIsStillWhole() async throws {
        #expect(try await collect(ScriptedSource([.chunk("a"), .finish(.completeThenClose)]), upTo: 9) == "a")
        #expect(try await collect(ScriptedSource([.finish(.complete)]), upTo: 0) == "")
    }

    @Test func chunkAboveTheLimitCancelsTheSource() async {
        let source = ScriptedSource([.chunk("ab"), .chunk("cd"), .finish(.complete)])
        await #expect(throws: HTTPSyntaxError.bodyTooLarge(limit: 3)) { try await collect(source, upTo: 3) }
        #expect(source.cancels == 1)
    }

    @Test func bytesAfterTheEndAreIgnored() async throws {
        let late = ScriptedSource(
            [.chunk("abcd"), .chunk("e"), .finish(.complete), .fail(.cancelled)], ignoresCancel: true)
        await #expect(throws: HTTPSyntaxError.bodyTooLarge(limit: 3)) { try await collect(late, upTo: 3) }
        #expect(late.cancels == 1)
        let twice = ScriptedSource([
            .chunk("a"), .finish(.complete), .chunk("b"), .finish(.complete), .fail(.cancelled),
        ])
        #expect(try await collect(twice, upTo: 1) == "a")
    }

    @Test func errorOfTheSourceEndsTheCollection() async {
        let source = ScriptedSource([.chunk("ab"), .fail(.truncatedBody), .finish(.complete)])
        await #expect(throws: TransportError(.truncatedBody)) { try await collect(source, upTo: 9) }
    }
}
