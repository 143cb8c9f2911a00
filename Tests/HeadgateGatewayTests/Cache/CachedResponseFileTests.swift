import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// File format of a stored response.
@Suite struct CachedResponseFileTests {
    private let key = CacheKey(KeyDigest(of: [1]))
    private let response = CachedResponse(
        head: CachedHead(
            response: ServerResponseHead(
                HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream", .age: "é"])),
            hasRequestID: true, isDocument: false),
        chunks: [
            CoalescedResponse.Chunk(bytes: Array("data: 1\n\n".utf8), offset: 0),
            CoalescedResponse.Chunk(bytes: Array("data: [DONE]\n\n".utf8), offset: 1 << 40),
        ], storedAt: 7, expiresAt: 1 << 50)

    @Test func wholeFileIsReadBack() throws {
        let again = try #require(CachedResponse(file: response.file(for: key), for: key))
        #expect(again.chunks == response.chunks && again.size == response.size)
        #expect(again.storedAt == 7 && again.expiresAt == 1 << 50)
        #expect(again.head.response.response == response.head.response.response)
        #expect(again.head.hasRequestID && !again.head.isDocument)
    }

    @Test func everyDamageIsAMiss() {
        let file = response.file(for: key)
        for index in file.indices {
            for bit in 0..<8 {
                var damaged = file
                damaged[index] ^= 1 << bit
                #expect(CachedResponse(file: damaged, for: key) == nil, "bit \(bit) of octet \(index)")
            }
            #expect(CachedResponse(file: Array(file[..<index]), for: key) == nil, "cut at \(index)")
        }
        #expect(CachedResponse(file: file + [0], for: key) == nil)
    }

    @Test func fileOfAnotherKeyIsAMiss() {
        #expect(CachedResponse(file: response.file(for: key), for: CacheKey(KeyDigest(of: [2]))) == nil)
    }

    @Test func excessiveCountsAreAMissDespiteTheChecksum() {
        let file = response.file(for: key)
        for index in 112..<file.count {
            var rest = Array(file[112...])
            rest[index - 112] = 0xFF
            let forged = Array(file[..<80]) + KeyDigest(of: rest).bytes + rest
            // Forged lengths never read beyond the file.
            _ = CachedResponse(file: forged, for: key)
        }
    }

    @Test(arguments: [(0, 200), (1, 599)] as [(Int64, Int)])
    func extremesThatAreValidAreReadBack(_ storedAt: Int64, _ status: Int) {
        let head = CachedHead(
            response: ServerResponseHead(HTTPResponse(status: HTTPResponse.Status(code: status))),
            hasRequestID: false, isDocument: true)
        let stored = CachedResponse(head: head, chunks: [], storedAt: storedAt, expiresAt: .max)
        let again = CachedResponse(file: stored.file(for: key), for: key)
        #expect(again?.storedAt == storedAt && again?.head.response.response.status.code == status)
        #expect(again?.head.hasRequestID == false && again?.head.isDocument == true)
    }

    @Test(arguments: [(Int64.min, 200), (-1, 200), (0, 199), (0, 600)])
    func extremeInstantAndInvalidStatusAreAMiss(_ storedAt: Int64, _ status: Int) {
        let head = CachedHead(
            response: ServerResponseHead(HTTPResponse(status: HTTPResponse.Status(code: status))),
            hasRequestID: false, isDocument: true)
        let forged = CachedResponse(head: head, chunks: [], storedAt: storedAt, expiresAt: .max)
        #expect(CachedResponse(file: forged.file(for: key), for: key) == nil)
    }
}
