import Foundation
import HTTPTypes
@_exported import HeadgateClientTransport
import HeadgateHTTP
import HeadgateOpenAPI
import OpenAPIRuntime

/// Lets a client of swift-openapi-generator send its requests through a transport of Headgate's.
public struct RuntimeClientTransport: OpenAPIRuntime.ClientTransport {
    private let transport: any HeadgateHTTP.ClientTransport

    /// - Parameter transport: such as a `LibeventTransport`.
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
    /// A body that is known to be small is sent whole, with its length; every other one as it comes.
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

    /// Unchecked: OpenAPIRuntime reads a body in one task at a time.
    private struct Chunks: AsyncSequence, @unchecked Sendable {
        let body: HeadgateHTTP.HTTPBody

        func makeAsyncIterator() -> HeadgateHTTP.HTTPBody.AsyncIterator { body.makeAsyncIterator() }
    }
}
