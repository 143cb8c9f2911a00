#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// ``Configuration`` under a name that does not conflict with those of apps.
public typealias OpenAPIConfiguration = Configuration

/// Configuration of how a generated client or server writes and reads values.
public struct Configuration: Sendable {
    /// Format of dates with a time, in bodies and in parameters.
    public var dateTranscoder: any DateTranscoder

    public init(dateTranscoder: any DateTranscoder = .iso8601) { self.dateTranscoder = dateTranscoder }

    /// Configuration of the task's current call. It is task-local because types of the document encode themselves
    /// without a configuration.
    @TaskLocal package static var current: Configuration?

    /// Runs a call with this configuration.
    func applied<Value>(_ call: () async throws -> Value) async rethrows -> Value {
        // The value belongs to the task of the call, which waits for it.
        nonisolated(unsafe) let value = try await Configuration.$current.withValue(self, operation: call)
        return value
    }
}

/// Converts dates to text and back.
public protocol DateTranscoder: Sendable {
    /// Returns the text of a date.
    ///
    /// - Throws: If the date has no text in this format. In a parameter, ``ISO8601DateTranscoder`` then writes the
    ///   date.
    func encode(_ date: Date) throws -> String
    /// Returns the date of a text.
    ///
    /// - Throws: If the text is not a date.
    func decode(_ dateString: String) throws -> Date
}

/// Converts dates in the format of RFC 3339. Reads dates with and without fractions of a second.
public struct ISO8601DateTranscoder: DateTranscoder {
    private let writesFraction: Bool?

    /// Creates a transcoder.
    ///
    /// - Parameter writesFraction: Whether fractions of a second are written; nil to write them only if they are not 0.
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
    /// Writes fractions of a second only if they are not 0.
    public static var iso8601: Self { ISO8601DateTranscoder() }
    /// Always writes fractions of a second.
    public static var iso8601WithFractionalSeconds: Self { ISO8601DateTranscoder(writesFraction: true) }
}
