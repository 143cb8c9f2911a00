#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// ``Configuration`` by a name that no app has.
public typealias OpenAPIConfiguration = Configuration

/// How a generated client or server writes and reads values.
public struct Configuration: Sendable {
    /// Dates with a time, in bodies and in parameters.
    public var dateTranscoder: any DateTranscoder

    public init(dateTranscoder: any DateTranscoder = .iso8601) { self.dateTranscoder = dateTranscoder }

    /// The one of the call that the task is in. Types of the document code themselves, and are given no configuration.
    @TaskLocal package static var current: Configuration?

    /// Runs a call with this configuration.
    func applied<Value>(_ call: () async throws -> Value) async rethrows -> Value {
        // The value is of the call's own task, which waits for it.
        nonisolated(unsafe) let value = try await Configuration.$current.withValue(self, operation: call)
        return value
    }
}

/// Writes dates as text and reads them.
public protocol DateTranscoder: Sendable {
    /// - Throws: for a date that has no such text. In a parameter it is written as ``ISO8601DateTranscoder`` does.
    func encode(_ date: Date) throws -> String
    /// - Throws: if it is not a date.
    func decode(_ dateString: String) throws -> Date
}

/// Dates as RFC 3339 has them. Reads them with a fraction of a second and without.
public struct ISO8601DateTranscoder: DateTranscoder {
    private let writesFraction: Bool?

    /// - Parameter writesFraction: whether a fraction of a second is written; nil where there is one.
    public init(writesFraction: Bool? = nil) { self.writesFraction = writesFraction }

    public func encode(_ date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        let hasFraction = writesFraction ?? (seconds != seconds.rounded(.down))
        return Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction).format(date)
    }

    public func decode(_ dateString: String) throws -> Date {
        do { return try Date(dateString, strategy: Date.ISO8601FormatStyle()) } catch {
            return try Date(dateString, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
    }
}

extension DateTranscoder where Self == ISO8601DateTranscoder {
    /// With a fraction of a second where there is one.
    public static var iso8601: Self { ISO8601DateTranscoder() }
    /// Always with a fraction.
    public static var iso8601WithFractionalSeconds: Self { ISO8601DateTranscoder(writesFraction: true) }
}
