import Foundation
import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateOpenAPI

/// Behavior that generated clients share with those of Swift OpenAPI Generator.
@Suite struct ClientShapeTests {
    /// Middleware with Foundation's `URL`, as Swift OpenAPI Generator declares it.
    private struct Mirror: ClientMiddleware {
        var host: String?

        @concurrent func intercept(
            _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String,
            next: @concurrent @Sendable (HTTPRequest, HTTPBody?, URL) async throws -> (HTTPResponse, HTTPBody?)
        ) async throws -> (HTTPResponse, HTTPBody?) {
            var request = request
            request.headerFields[.referer] = "\(baseURL) \(operationID)"
            let url = host.flatMap { URL(string: "https://\($0):8443/other") } ?? baseURL
            return try await next(request, body, url)
        }
    }

    private final class Echo: ClientTransport {
        func send(
            _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
        ) async throws -> (HTTPResponse, HTTPBody?) {
            switch request.path {
            case "/down": throw TransportError(.connect, "refused")
            case "/cancelled": throw CancellationError()
            default: break
            }
            let sent = String(decoding: try await body?.collect(upTo: 100) ?? [], as: UTF8.self)
            let text = "\(baseURL.endpoint) \(request.headerFields[.referer] ?? "") \(request.path ?? "") \(sent)"
            return (HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), HTTPBody(text))
        }
    }

    private static func operation(_ path: String) -> APIOperation {
        APIOperation(id: "o", method: .post, path: path, responseContentTypes: [])
    }

    private func sender(
        _ middlewares: [any ClientMiddleware] = [], to endpoint: BaseURL.Endpoint = .tls(host: "a", port: 443),
        configuration: Configuration? = nil
    ) -> RequestSender {
        RequestSender(
            serverURL: BaseURL(endpoint: endpoint, pathPrefix: ""), configuration: configuration, transport: Echo(),
            middlewares: middlewares)
    }

    private func send(_ sender: RequestSender) async throws -> String {
        try await sender.call("o") {
            var request = OutgoingRequest(Self.operation("/x"))
            request.bytes("body", contentType: "text/plain")
            return request
        } decoding: {
            try await String(collecting: $0.bytes(), upTo: 1000)
        }
    }

    @Test(arguments: [
        (
            nil, BaseURL.Endpoint.tls(host: "a", port: 443),
            "\(BaseURL.Endpoint.tls(host: "a", port: 443)) https://a o /x body"
        ),
        ("b", .tcp(host: "a", port: 8080), "\(BaseURL.Endpoint.tls(host: "b", port: 8443)) http://a:8080 o /x body"),
        (nil, .unix(path: "/s"), "\(BaseURL.Endpoint.unix(path: "/s")) http://localhost o /x body"),
    ])
    func middlewareCanTakeAURL(host: String?, endpoint: BaseURL.Endpoint, reached: String) async throws {
        #expect(try await send(sender([Mirror(host: host)], to: endpoint)) == reached)
    }

    @Test func errorReportsTheStageOfTheCall() async throws {
        let down = await #expect(throws: ClientError.self) {
            try await sender().call("o") {
                OutgoingRequest(Self.operation("/down"))
            } decoding: { _ in
            }
        }
        #expect((down?.underlyingError as? TransportError)?.kind == .connect && down?.response == nil)
        #expect(down?.request?.path == "/down" && down?.baseURL?.absoluteString == "https://a")
        #expect(down?.localizedDescription == "The server cannot be reached.")
        let unread = await #expect(throws: ClientError.self) {
            try await sender().call("o") {
                OutgoingRequest(Self.operation("/x"))
            } decoding: {
                let _: Int = try await $0.json()
            }
        }
        #expect(unread?.response?.status == .ok && unread?.underlyingError is DecodingError)
        let unmade = await #expect(throws: ClientError.self) {
            try await sender().call("o") {
                throw CocoaError(.coderInvalidValue)
            } decoding: { _ in
            }
        }
        #expect(unmade?.request == nil && unmade?.description.hasPrefix("The request could not be made in 'o'") == true)
        await #expect(throws: CancellationError.self) {
            try await sender().call("o") {
                OutgoingRequest(Self.operation("/cancelled"))
            } decoding: { _ in
            }
        }
    }

    private struct Days: DateTranscoder {
        struct NoDay: Error {}

        func encode(_ date: Date) -> String { "day \(Int(date.timeIntervalSince1970) / 86400)" }

        func decode(_ dateString: String) throws -> Date {
            guard let day = Int(dateString.dropFirst("day ".count)) else { throw NoDay() }
            return Date(timeIntervalSince1970: Double(day) * 86400)
        }
    }

    @Test func datesUseTheConfiguredTranscoder() async throws {
        let date = Date(timeIntervalSince1970: 864_000)
        func sent(_ transcoder: (any DateTranscoder)?) async throws -> String {
            try await sender(configuration: transcoder.map { Configuration(dateTranscoder: $0) }).call("o") {
                var request = OutgoingRequest(Self.operation("/x"))
                request.query("d", date)
                try request.encodedJSON([date])
                return request
            } decoding: {
                let text = try await String(collecting: $0.bytes(), upTo: 1000)
                let dates = text.drop { $0 != "[" }
                #expect(try JSONBody.decode(Array(dates.utf8)) == [date])
                return String(text.drop { $0 != "?" })
            }
        }
        #expect(try await sent(nil) == #"?d=1970-01-11T00%3A00%3A00Z ["1970-01-11T00:00:00Z"]"#)
        #expect(try await sent(Days()) == #"?d=day%2010 ["day 10"]"#)
        let fraction = #"?d=1970-01-11T00%3A00%3A00.000Z ["1970-01-11T00:00:00.000Z"]"#
        #expect(try await sent(.iso8601WithFractionalSeconds) == fraction)
        await #expect(throws: ClientError.self) {
            try await sender(configuration: Configuration(dateTranscoder: Days())).call("o") {
                OutgoingRequest(Self.operation("/x"))
            } decoding: { _ in
                let _: [Date] = try JSONBody.decode(Array(#"["1970-01-11T00:00:00Z"]"#.utf8))
            }
        }
        // The setting ends with the call.
        #expect(date.parameterText == "1970-01-11T00:00:00Z")
    }
}
