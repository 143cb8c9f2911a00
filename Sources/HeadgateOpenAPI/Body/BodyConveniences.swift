public import HeadgateHTTP

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension HTTPBody: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    public init(stringLiteral value: String) { self.init(value) }
    public init(arrayLiteral elements: UInt8...) { self = .bytes(elements) }

    /// Bytes, whole.
    public init(_ bytes: some Collection<UInt8>) { self = .bytes(Array(bytes)) }

    /// How long a body is.
    public enum Length: Hashable, Sendable {
        case unknown
        case known(Int64)
    }

    /// Its length, as far as it is known before it is read.
    public var length: Length {
        switch self {
        case .bytes(let bytes): .known(Int64(bytes.count))
        case .stream(let source): source.declaredLength.map { .known(Int64($0)) } ?? .unknown
        }
    }

    /// How often a body can be read.
    public enum IterationBehavior: Hashable, Sendable {
        case single
        case multiple
    }

    /// Once, unless it is whole.
    public var iterationBehavior: IterationBehavior {
        switch self {
        case .bytes: .multiple
        case .stream: .single
        }
    }
}

extension String {
    /// The text of a whole body; what is not UTF-8 in it is repaired.
    ///
    /// - Throws: what ended it early, or that it is larger.
    public init(collecting body: HTTPBody, upTo maxBytes: Int) async throws {
        self.init(decoding: try await body.collect(upTo: maxBytes), as: UTF8.self)
    }
}

extension [UInt8] {
    /// The bytes of a whole body.
    ///
    /// - Throws: what ended it early, or that it is larger.
    public init(collecting body: HTTPBody, upTo maxBytes: Int) async throws {
        self = try await body.collect(upTo: maxBytes)
    }
}

extension Data {
    /// The bytes of a whole body.
    ///
    /// - Throws: what ended it early, or that it is larger.
    public init(collecting body: HTTPBody, upTo maxBytes: Int) async throws {
        self.init(try await body.collect(upTo: maxBytes))
    }
}
