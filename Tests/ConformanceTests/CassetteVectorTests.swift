import HeadgateCassettes
import Testing

/// Every stream of the vectors as a recording.
@Suite struct CassetteVectorTests {
    /// Length in bytes of the longest stream that is cut everywhere.
    private static let longest = 400

    private func expectSame(_ stream: [UInt8], cutAt cuts: [Int], _ way: @autoclosure () -> Comment) throws {
        var chunks: [Cassette.Chunk] = []
        var start = 0
        for end in cuts + [stream.count] {
            chunks.append(Cassette.Chunk(milliseconds: chunks.count, .bytes(Array(stream[start..<end]))))
            start = end
        }
        let cassette = Cassette(
            route: "/chat/completions", request: Cassette.Request(method: "POST", path: "/v1/chat/completions"),
            response: Cassette.Response(status: 200, chunks: chunks), end: Cassette.End(.complete))
        let read = try Cassette(text: cassette.text)
        if read != cassette || read.responseBody != stream { #expect(read == cassette, way()) }
    }

    @Test(arguments: ServerSentEventVector.all)
    func recordedStreamIsTheStream(_ vector: ServerSentEventVector) throws {
        let stream = [UInt8](vector.input)
        try expectSame(stream, cutAt: [], "whole")
        guard stream.count <= CassetteVectorTests.longest else {
            return try expectSame(stream, cutAt: Array(stride(from: 0, to: stream.count, by: 1009)), "cut often")
        }
        try expectSame(stream, cutAt: Array(0..<stream.count), "bytewise")
        for cut in 0...stream.count { try expectSame(stream, cutAt: [cut], "cut at \(cut)") }
    }
}
