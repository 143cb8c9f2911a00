#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The type of `date-time`, by a name that no document has.
public typealias OpenAPIDate = Date

/// How dates are written and read.
enum DateText {
    /// As RFC 3339 has it, with a fraction of a second only where there is one.
    static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        return Date.ISO8601FormatStyle(includingFractionalSeconds: seconds != seconds.rounded(.down)).format(date)
    }

    /// Nil for what is no date with a time.
    static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle()))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}

extension Date: JSONWritable, ParameterValue {
    public static var expectation: String { "a date with a time, such as 2024-05-01T12:00:00Z" }
    public var parameterText: String { DateText.text(of: self) }

    public init?(parameterText: String) {
        guard let date = DateText.date(parameterText) else { return nil }
        self = date
    }

    public func write(to json: inout JSONText) throws { json.append(DateText.text(of: self)) }
}
