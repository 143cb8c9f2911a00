import Foundation
import HTTPTypes
@_exported import HeadgateClientTransport
import HeadgateHTTP
import HeadgateOpenAPI
import OpenAPIRuntime

/// Sends the requests of a swift-openapi-generator client through a transport of Headgate's.
public struct RuntimeClientTransport: OpenAPIRuntime.ClientTransport {
    private let transport: any HeadgateHTTP.ClientTransport

    /// - Parameter transport: The transport to use, such as a `LibeventTransport`.
    public init(_ transport: any HeadgateHTTP.ClientTransport) { self.transport = transport }

    /// - Throws: `TransportError`.
    public func send(
        _ request: HTTPRequest, body: OpenAPIRuntime.HTTPBody?, baseURL: URL, operationID: String
    ) async throws -> (HTTPResponse, OpenAPIRuntime.HTTPBody?) {
        let base = BaseURL(baseURL)
        var request = request
        request.authority = base.authority
        request.path = base.pathPrefix + (request.path ?? "/")
        let (response, answer) = try await transport.send(
            request, body: HeadgateHTTP.HTTPBody.of(body), baseURL: base, operationID: operationID)
        return (response, answer.map { .init($0) })
    }
}

extension HeadgateHTTP.HTTPBody {
    /// Converts a body. A small body of known length is sent whole, with its length; any other body is streamed.
    static func of(_ body: OpenAPIRuntime.HTTPBody?) async throws -> HeadgateHTTP.HTTPBody? {
        guard let body else { return nil }
        let small = 64 << 10
        guard case .known(let length) = body.length, length <= small else { return HeadgateHTTP.HTTPBody(body) }
        var bytes: [UInt8] = []
        for try await chunk in body { bytes += chunk }
        return .bytes(bytes)
    }
}

extension OpenAPIRuntime.HTTPBody {
    convenience init(_ body: HeadgateHTTP.HTTPBody) {
        switch body {
        case .bytes(let bytes): self.init(bytes)
        case .stream: self.init(Chunks(body: body), length: .unknown, iterationBehavior: .single)
        }
    }

    /// Unchecked because OpenAPIRuntime reads a body in one task at a time.
    private struct Chunks: AsyncSequence, @unchecked Sendable {
        let body: HeadgateHTTP.HTTPBody

        func makeAsyncIterator() -> HeadgateHTTP.HTTPBody.AsyncIterator { body.makeAsyncIterator() }
    }
}
