// Replaces swift-openapi-runtime in this repository's tests, which cannot fetch it. It declares only what the
// transports use, in the same form. It was written for these tests, and is not that library.

public import Foundation
public import HTTPTypes

public protocol ClientTransport: Sendable {
    func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?)
}

public protocol ServerTransport {
    func register(
        _ handler:
            @Sendable @escaping (HTTPRequest, HTTPBody?, ServerRequestMetadata) async throws -> (
                HTTPResponse, HTTPBody?
            ), method: HTTPRequest.Method, path: String
    ) throws
}

public struct ServerRequestMetadata: Hashable, Sendable {
    public var pathParameters: [String: Substring]

    public init(pathParameters: [String: Substring] = [:]) { self.pathParameters = pathParameters }
}

public final class HTTPBody: @unchecked Sendable, AsyncSequence {
    public typealias ByteChunk = ArraySlice<UInt8>
    public typealias Element = ByteChunk

    public enum IterationBehavior: Sendable { case single, multiple }
    public enum Length: Sendable, Equatable {
        case unknown
        case known(Int64)
    }

    public let iterationBehavior: IterationBehavior
    public let length: Length
    private let makeNext: () -> () async throws -> ByteChunk?

    public init<Bytes: AsyncSequence>(
        _ sequence: Bytes, length: Length, iterationBehavior: IterationBehavior
    ) where Bytes: Sendable, Bytes.Element == ByteChunk {
        self.length = length
        self.iterationBehavior = iterationBehavior
        makeNext = {
            var iterator = sequence.makeAsyncIterator()
            return { try await iterator.next() }
        }
    }

    public init(_ bytes: some Collection<UInt8> & Sendable) {
        length = .known(Int64(bytes.count))
        iterationBehavior = .multiple
        let whole = ArraySlice(bytes)
        makeNext = {
            var rest: ByteChunk? = whole
            return {
                defer { rest = nil }
                return rest
            }
        }
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        let step: () async throws -> ByteChunk?

        public mutating func next() async throws -> ByteChunk? { try await step() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(step: makeNext()) }
}
