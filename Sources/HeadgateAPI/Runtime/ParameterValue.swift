/// What a parameter or a header holds, and its form on the wire.
protocol ParameterValue {
    /// The type as a message names it, with its article.
    static var expectation: String { get }
    var parameterText: String { get }

    init?(parameterText: String)
}

extension String: ParameterValue {
    static var expectation: String { "text in percent-encoded UTF-8" }
    var parameterText: String { self }

    init?(parameterText: String) { self = parameterText }
}

extension Int: ParameterValue {
    static var expectation: String { "an integer" }
    var parameterText: String { String(self) }

    init?(parameterText: String) {
        guard parameterText.utf8.first != UInt8(ascii: "+") else { return nil }
        self.init(parameterText)
    }
}

extension Bool: ParameterValue {
    static var expectation: String { "'true' or 'false'" }
    var parameterText: String { self ? "true" : "false" }

    init?(parameterText: String) { self.init(parameterText) }
}
