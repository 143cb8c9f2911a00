/// Strategy for converting names of a document to Swift names.
package enum NamingStrategy: String, Sendable, CaseIterable {
    /// Every character is preserved or spelled out, as in Swift OpenAPI Generator by default: `get-pet` becomes
    /// `get_hyphen_pet`.
    case defensive
    /// Names follow Swift conventions: `get-pet` becomes `getPet`.
    case idiomatic
}

/// Converts names of the document to Swift names, with the strategies of Swift OpenAPI Generator.
struct SwiftNames: Sendable {
    var strategy = NamingStrategy.idiomatic
    /// Overridden names, by the names in the document.
    var overrides: [String: String] = [:]

    /// Returns the name of a member: `owned_by` becomes `ownedBy`.
    func member(_ text: String) -> String {
        if let name = overrides[text] { return SwiftNames.quoted(name) }
        switch strategy {
        case .defensive: return SwiftNames.defensive(text)
        case .idiomatic:
            let name = SwiftNames.joined(text)
            return SwiftNames.quoted(name.prefix(1).lowercased() + name.dropFirst())
        }
    }

    /// Returns an argument label, for which few words are reserved.
    func label(_ member: String) -> String {
        ["`inout`", "`let`", "`var`"].contains(member) ? member : member.replacing("`", with: "")
    }

    /// Returns the name of a type: `owned_by` becomes `OwnedBy`.
    func type(_ text: String) -> String {
        if let name = overrides[text] { return name }
        switch strategy {
        case .defensive: return SwiftNames.defensive(text)
        case .idiomatic:
            let name = SwiftNames.joined(text)
            return name.prefix(1).uppercased() + name.dropFirst()
        }
    }

    /// Returns the name of a type that is declared for a member.
    func payload(_ text: String) -> String { type(text) + "Payload" }

    // MARK: Names in one scope

    /// - Parameter taken: Names that are already in use.
    func members(_ texts: [String], besides taken: Set<String> = []) -> [String] {
        unique(texts, besides: taken, by: member)
    }

    func payloads(_ texts: [String]) -> [String] { unique(texts) { payload($0) } }

    /// - Parameter taken: Names that are already in use.
    func types(_ texts: [String], besides taken: Set<String> = []) -> [String] {
        unique(texts, besides: taken, by: type)
    }

    /// Returns a unique name for each text. Names that would be equal are spelled out, and numbered if necessary.
    func unique(
        _ texts: [String], besides taken: Set<String> = [], by name: (String) -> String
    ) -> [String] {
        let first = texts.map(name)
        let counts = Dictionary(first.map { ($0, 1) }, uniquingKeysWith: +)
        guard counts.count < texts.count || !taken.isDisjoint(with: counts.keys) else { return first }
        var used = taken.union(first.filter { counts[$0] == 1 })
        return zip(texts, first).map { text, plain in
            if counts[plain] == 1, !taken.contains(plain) { return plain }
            let suffix = plain.hasSuffix("Payload") && !text.hasSuffix("Payload") ? "Payload" : ""
            let start = counts[plain] == 1 ? "_" + plain : SwiftNames.defensive(text) + suffix
            var candidate = start
            var number = 1
            while !used.insert(candidate).inserted {
                number += 1
                candidate = start.replacing("`", with: "") + String(number)
            }
            return candidate
        }
    }

    // MARK: Words

    /// Returns the name with a capital letter, regardless of the strategy.
    static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    private static func quoted(_ name: String) -> String {
        // `self` has its special meaning even in backticks.
        if name == "self" { return "_self" }
        return keywords.contains(name) ? "`\(name)`" : name
    }

    private static func joined(_ text: String) -> String {
        let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        if words.isEmpty { return defensive(text) }
        let name = words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
        return name.first.map { !$0.isLetter } ?? true ? "_" + name : name
    }

    /// Returns the text with a word for every character that is invalid in Swift names.
    private static func defensive(_ text: String) -> String {
        guard !text.isEmpty else { return "_empty" }
        var name = ""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            switch scalar {
            case "a"..."z", "A"..."Z", "_": name.unicodeScalars.append(scalar)
            case "0"..."9":
                if index == 0 { name += "_" }
                name.unicodeScalars.append(scalar)
            default:
                name += characters[scalar].map { "_\($0)_" } ?? "_x\(String(scalar.value, radix: 16).uppercased())_"
            }
        }
        if name == "_" { return "_underscore_" }
        return keywords.contains(name) || ["Any", "Self", "Type", "Protocol"].contains(name) ? "_" + name : name
    }

    private static let characters: [Unicode.Scalar: String] = [
        " ": "space", "!": "excl", "\"": "quot", "#": "num", "$": "dollar", "%": "percnt", "&": "amp", "'": "apos",
        "(": "lpar", ")": "rpar", "*": "ast", "+": "plus", ",": "comma", "-": "hyphen", ".": "period", "/": "sol",
        ":": "colon", ";": "semi", "<": "lt", "=": "equals", ">": "gt", "?": "quest", "@": "commat", "[": "lbrack",
        "\\": "bsol", "]": "rbrack", "^": "hat", "`": "grave", "{": "lcub", "|": "verbar", "}": "rcub", "~": "tilde",
    ]

    /// Types that generated code uses in addition to those of schemas, and names that no nested type can have.
    static let used: Set = [
        "APIOperation", "AcceptHeaderContentType", "AcceptableProtocol", "AcceptedTypes", "Any", "Base64EncodedData",
        "Bool", "Boxed", "CaseIterable", "Codable", "CodingKey", "Components", "DecodingError", "Decoder", "Double",
        "Encoder", "Float", "HTTPBody", "Hashable", "HeaderNames", "IncomingRequest", "IncomingResponse", "Int",
        "Int32",
        "Int64", "JSONText", "JSONWritable", "MultipartBody", "MultipartDynamicallyNamedPart", "MultipartFormError",
        "MultipartFormPart", "MultipartPart", "MultipartRawPart", "MultipartRules", "OpenAPIDate",
        "OpenAPIObjectContainer", "OpenAPIValueContainer", "Operations", "OutgoingRequest", "OutgoingResponse",
        "ParameterValue", "Protocol", "RawResponse", "RequestViolation", "Self", "Sendable", "Set", "String", "Type",
        "UndocumentedPayload", "UnexpectedResponse",
    ]

    private static let keywords: Set = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
        "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
        "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
