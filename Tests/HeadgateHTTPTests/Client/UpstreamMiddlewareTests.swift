import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct UpstreamMiddlewareTests {
    private static let baseURL = BaseURL(endpoint: .tcp(host: "h", port: 1), pathPrefix: "/v1")
    private static let mark = HTTPField.Name("x-mark").unsafelyUnwrapped

    /// A transport that responds with the marks that the request has gathered.
    private struct EchoedMarks: RelayTransport {
        func send(
            _ request: UpstreamRequest, to _: BaseURL, completion: @escaping UpstreamCompletion
        ) -> (any Cancellable)? {
            let marks = request.wholeHead.headerFields[values: UpstreamMiddlewareTests.mark]
            let head = ResponseHead(HTTPResponse(status: .ok))
            completion(.success(UpstreamResponse(received: head, .bytes(Array(marks.joined(separator: ",").utf8)))))
            return nil
        }
    }

    private struct Marking: UpstreamMiddleware {
        let value: String

        func intercept(
            _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
        ) -> (any Cancellable)? {
            var request = request
            request.append(HTTPField(name: UpstreamMiddlewareTests.mark, value: value))
            return next(request, completion: completion)
        }
    }

    private struct Refusing: UpstreamMiddleware {
        func intercept(
            _: UpstreamRequest, next _: UpstreamNext, completion: @escaping UpstreamCompletion
        ) -> (any Cancellable)? {
            completion(.failure(TransportError(.unavailable, "refused")))
            return nil
        }
    }

    private var request: UpstreamRequest {
        let head = HTTPRequest(
            method: .post, scheme: nil, authority: "h", path: "/v1/x", headerFields: [.accept: "a/b"])
        return UpstreamRequest(OutgoingHead(head), body: [], operationID: "o")
    }

    private func ask(_ middlewares: [any UpstreamMiddleware]) async throws -> String {
        let chain = UpstreamChain(
            middlewares, endingAt: EchoedMarks(), baseURL: UpstreamMiddlewareTests.baseURL)
        let response = try await waitInTask { completion in
            chain.send(request) { completion($0.mapError { $0 }) }
        }
        return String(decoding: try await response.body?.collect(upTo: 100) ?? [], as: UTF8.self)
    }

    @Test func chainIsWalkedFromTheOutsideIn() async throws {
        #expect(try await ask([]) == "")
        #expect(try await ask([Marking(value: "1"), Marking(value: "2"), Marking(value: "3")]) == "1,2,3")
    }

    @Test func middlewareThatSkipsTheRestEndsTheChain() async {
        await #expect(throws: TransportError(.unavailable, "refused")) {
            try await ask([Marking(value: "1"), Refusing(), Marking(value: "2")])
        }
    }

    @Test func headersOfOneRequestFollowTheCommonOnes() {
        var request = request
        #expect(request.fieldLines == [])
        request.append(HTTPField(name: UpstreamMiddlewareTests.mark, value: "a: b"))
        request.append(HTTPField(name: .accept, value: ""))
        #expect(String(decoding: request.fieldLines, as: UTF8.self) == "\r\nx-mark: a: b\r\nAccept: ")
        let fields = request.wholeHead.headerFields
        #expect(fields.map(\.value) == ["a/b", "a: b", ""])
        var written: [UInt8] = []
        HeadEncoder.append(request.head, request.fieldLines, framing: .fixed(0), to: &written)
        #expect(
            String(decoding: written, as: UTF8.self)
                == "POST /v1/x HTTP/1.1\r\nHost: h\r\nAccept: a/b\r\nx-mark: a: b\r\nAccept: \r\nContent-Length: 0\r\n\r\n"
        )
    }

    /// Some servers read two lengths of one body as two requests.
    @Test(arguments: [
        "Content-Length", "transfer-encoding", "Host", "Connection", "TE", "Trailer", "Upgrade", "Expect",
    ])
    func transportSetsTheFramingHeaders(_ name: String) throws {
        let name = try #require(HTTPField.Name(name))
        var request = request
        request.append(HTTPField(name: name, value: "1"))
        #expect(request.fieldLines == [])
        let head = HTTPRequest(method: .post, scheme: nil, authority: "h", path: "/", headerFields: [name: "1"])
        var written: [UInt8] = []
        HeadEncoder.append(OutgoingHead(head), [], framing: .fixed(3), to: &written)
        #expect(String(decoding: written, as: UTF8.self) == "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n")
    }
}
