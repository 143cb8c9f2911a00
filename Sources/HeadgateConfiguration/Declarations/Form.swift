/// Shape of a value, as far as an editor can check it. Every scalar can contain variables.
indirect enum Form: Sendable {
    /// Text, even if it looks like a number or a boolean.
    case text
    /// Text in which a regular expression (ECMA 262) finds a match.
    case pattern(String)
    case choice([String])
    case flag
    case wholeNumber(ClosedRange<Int>)
    /// A number from 0 to 1.
    case fraction
    /// A number with any count of decimals, or a text that looks like one.
    case amount
    case null
    case list(Form, minimum: Int = 0)
    case mapping(MappingDeclaration)
    /// A mapping with arbitrary keys.
    case named(Form)
    case anyOf([Form])
    /// Any value that JSON can express.
    case json
}

extension Form {
    static let duration = Form.pattern("^[0-9]+(ms|s|m|h)$")
    static let lifetime = Form.pattern("^[0-9]+(s|m|h|d)$")
    static let size = Form.anyOf([.wholeNumber(1...16 << 30), .pattern("^[0-9]+([KMG]iB)?$")])
    static let percentage = Form.pattern("^[0-9]+%$")
    static let path = Form.pattern("^/")
    /// A secret or its source.
    static let secret = Form.anyOf([.text, .mapping(.secret)])
}
