import Foundation
import ServerSentEvents
import Testing

/// One case of `Tests/Vectors/sse.json`. The format is described beside the file.
struct ServerSentEventVector: Decodable, CustomTestStringConvertible, Sendable {
    struct Event: Decodable, Equatable {
        var event: String
        var data: String
        var id: String
    }

    var name: String
    var input: Data
    var expected: [Event]
    /// Retry times as in the file. One of them exceeds every integer type.
    var retry: [Double]
    var lastEventID: String
    var comments: Int

    var testDescription: String { name }

    enum CodingKeys: String, CodingKey {
        case name, expected, retry, comments
        case input = "input_base64"
        case lastEventID = "last_event_id_at_eof"
    }

    static let all: [ServerSentEventVector] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appendingPathComponent("Vectors/sse.json")
        // An unreadable file yields no cases, which `vectorsAreRead` reports.
        guard let data = try? Data(contentsOf: file) else { return [] }
        return (try? JSONDecoder().decode([ServerSentEventVector].self, from: data)) ?? []
    }()
}

@Suite struct ServerSentEventVectorTests {
    @Test func vectorsAreRead() {
        #expect(ServerSentEventVector.all.count >= 90)
    }

    @Test(arguments: ServerSentEventVector.all)
    func wholeStreamGivesTheExpectedEvents(_ vector: ServerSentEventVector) throws {
        try expect(vector, cutAt: [], "whole")
    }

    @Test(arguments: ServerSentEventVector.all)
    func bytewiseStreamGivesTheExpectedEvents(_ vector: ServerSentEventVector) throws {
        try expect(vector, cutAt: Array(0..<vector.input.count), "bytewise")
    }

    @Test(arguments: ServerSentEventVector.all)
    func streamCutAnywhereGivesTheExpectedEvents(_ vector: ServerSentEventVector) throws {
        for cut in 0...vector.input.count { try expect(vector, cutAt: [cut], "cut at \(cut)") }
    }

    private func expect(_ vector: ServerSentEventVector, cutAt cuts: [Int], _ way: @autoclosure () -> Comment) throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEventVector.Event] = []
        try vector.input.withUnsafeBytes { input in
            var start = 0
            for end in cuts + [input.count] {
                try parser.parse(UnsafeRawBufferPointer(rebasing: input[start..<end])) { view in
                    let event = ServerSentEvent(view)
                    events.append(ServerSentEventVector.Event(event: event.event, data: event.data, id: event.id))
                }
                start = end
            }
        }
        // A comparison precedes each expectation, because there are tens of thousands of cuts.
        if events != vector.expected { #expect(events == vector.expected, way()) }
        if parser.commentCount != vector.comments { #expect(parser.commentCount == vector.comments, way()) }
        let retry = vector.retry.last.map { Int(exactly: $0) ?? .max }
        if parser.retryMilliseconds != retry { #expect(parser.retryMilliseconds == retry, way()) }
        let id = String(decoding: parser.lastEventID, as: UTF8.self)
        if id != vector.lastEventID { #expect(id == vector.lastEventID, way()) }
    }
}
