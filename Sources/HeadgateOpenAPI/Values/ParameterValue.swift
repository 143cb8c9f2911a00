/// A value of a parameter or a header that can be converted to text and back.
public protocol ParameterValue {
    /// Name of the type with its article, for messages.
    static var expectation: String { get }
    var parameterText: String { get }

    init?(parameterText: String)
}

extension String: ParameterValue {
    public static var expectation: String { "text in percent-encoded UTF-8" }
    public var parameterText: String { self }

    @inlinable
    public init?(parameterText: String) { self = parameterText }
}

extension ParameterValue where Self: FixedWidthInteger {
    public static var expectation: String { "an integer" }
    public var parameterText: String { String(self) }

    public init?(parameterText: String) {
        guard parameterText.utf8.first != UInt8(ascii: "+") else { return nil }
        self.init(parameterText)
    }
}

extension Int: ParameterValue {}
extension Int32: ParameterValue {}
extension Int64: ParameterValue {}

extension Double: ParameterValue {
    public static var expectation: String { "a number" }
    public var parameterText: String { String(self) }

    /// Parses a number in JSON's notation. Rejects `inf`, hexadecimal notation, and numbers that are too large.
    public init?(parameterText: String) {
        let isPlain = parameterText.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        guard isPlain, parameterText.utf8.first != UInt8(ascii: "+"), let number = Double(parameterText),
            number.isFinite
        else { return nil }
        self = number
    }
}

extension Float: ParameterValue {
    public static var expectation: String { Double.expectation }
    public var parameterText: String { String(self) }

    public init?(parameterText: String) {
        guard let number = Double(parameterText: parameterText) else { return nil }
        self.init(number)
    }
}

extension Bool: ParameterValue {
    public static var expectation: String { "'true' or 'false'" }
    public var parameterText: String { self ? "true" : "false" }

    public init?(parameterText: String) { self.init(parameterText) }
}

/// Enumerations with string values.
extension ParameterValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    public static var expectation: String { "one of " + allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ") }
    public var parameterText: String { rawValue }

    public init?(parameterText: String) { self.init(rawValue: parameterText) }
}

extension ParameterValue where Self: RawRepresentable & CaseIterable, RawValue == Int {
    public static var expectation: String { "one of " + allCases.map { "\($0.rawValue)" }.joined(separator: ", ") }
    public var parameterText: String { String(rawValue) }

    public init?(parameterText: String) {
        guard let number = Int(parameterText: parameterText) else { return nil }
        self.init(rawValue: number)
    }
}
