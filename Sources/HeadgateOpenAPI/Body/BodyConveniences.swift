public import HeadgateHTTP

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension HTTPBody: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    public init(stringLiteral value: String) { self.init(value) }
    public init(arrayLiteral elements: UInt8...) { self = .bytes(elements) }

    /// Creates a whole body from bytes.
    public init(_ bytes: some Collection<UInt8>) { self = .bytes(Array(bytes)) }

    /// Length of a body in bytes.
    public enum Length: Hashable, Sendable {
        case unknown
        case known(Int64)
    }

    /// Length of the body, as far as it is known before reading.
    public var length: Length {
        switch self {
        case .bytes(let bytes): .known(Int64(bytes.count))
        case .stream(let source): source.declaredLength.map { .known(Int64($0)) } ?? .unknown
        }
    }

    /// Number of times that a body can be read.
    public enum IterationBehavior: Hashable, Sendable {
        case single
        case multiple
    }

    /// Whether the body can be read once, or any number of times because it is whole.
    public var iterationBehavior: IterationBehavior {
        switch self {
        case .bytes: .multiple
        case .stream: .single
        }
    }
}

extension String {
    /// Collects the text of a whole body. Invalid UTF-8 is repaired.
    ///
    /// - Throws: The error that ended the body early, or an error if it has more than `maxBytes` bytes.
    public init(collecting body: HTTPBody, upTo maxBytes: Int) async throws {
        self.init(decoding: try await body.collect(upTo: maxBytes), as: UTF8.self)
    }
}

extension [UInt8] {
    /// Collects the bytes of a whole body.
    ///
    /// - Throws: The error that ended the body early, or an error if it has more than `maxBytes` bytes.
    public init(collecting body: HTTPBody, upTo maxBytes: Int) async throws {
        self = try await body.collect(upTo: maxBytes)
    }
}

extension Data {
    /// Collects the bytes of a whole body.
    ///
    /// - Throws: The error that ended the body early, or an error if it has more than `maxBytes` bytes.
    public init(collecting body: HTTPBody, upTo maxBytes: Int) async throws {
        self.init(try await body.collect(upTo: maxBytes))
    }
}
