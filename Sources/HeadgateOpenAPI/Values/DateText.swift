#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The type of `date-time`, under a name that does not conflict with those of documents.
public typealias OpenAPIDate = Date

/// Converts dates according to the configuration of the current call.
enum DateText {
    private static let standard = ISO8601DateTranscoder()

    static func text(of date: Date) throws -> String {
        try Configuration.current?.dateTranscoder.encode(date) ?? standard.encode(date)
    }

    /// Parses a date with a time; nil for any other text.
    static func date(_ text: String) -> Date? {
        try? Configuration.current?.dateTranscoder.decode(text) ?? standard.decode(text)
    }
}

extension Date: JSONWritable, ParameterValue {
    public static var expectation: String { "a date with a time, such as 2024-05-01T12:00:00Z" }
    public var parameterText: String { (try? DateText.text(of: self)) ?? ISO8601DateTranscoder().encode(self) }

    public init?(parameterText: String) {
        guard let date = DateText.date(parameterText) else { return nil }
        self = date
    }

    public func write(to json: inout JSONText) throws { json.append(try DateText.text(of: self)) }
}
