/// Types of plain scalars in YAML 1.2 (10.3.2, the core schema), converted to JSON. Numbers keep their digits.
enum CoreSchema {
    static func json(_ text: String) throws(InvalidValue) -> String {
        switch text {
        case "", "~", "null", "Null", "NULL": return "null"
        case "true", "True", "TRUE": return "true"
        case "false", "False", "FALSE": return "false"
        default: break
        }
        if let number = try based(text) ?? decimal(text) { return number }
        let unsigned = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        if [".inf", ".Inf", ".INF"].contains(unsigned) || [".nan", ".NaN", ".NAN"].contains(text) {
            throw InvalidValue("JSON has no such number: write a finite one, or put the text in quotes")
        }
        return JSONText.string(text)
    }

    /// Converts `0o17` and `0xff`, which JSON does not have.
    private static func based(_ text: String) throws(InvalidValue) -> String? {
        let radix = text.hasPrefix("0o") ? 8 : text.hasPrefix("0x") ? 16 : nil
        let digits = text.utf8.dropFirst(2)
        guard let radix, !digits.isEmpty, digits.allSatisfy({ ASCII.hexadecimal($0).map { $0 < radix } == true })
        else { return nil }
        guard let number = UInt64(text.dropFirst(2), radix: radix) else {
            throw InvalidValue("the number is above 64 bits: write it in decimal digits")
        }
        return String(number)
    }

    /// Converts `[-+]? ( . digits | digits ( . digits? )? ) ( e [-+]? digits )?`.
    private static func decimal(_ text: String) -> String? {
        var rest = text.utf8[...]
        let sign = rest.popFirst(where: "+-")
        let whole = rest.popDigits()
        var fraction: Substring.UTF8View?
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = rest.popDigits()
        }
        guard !whole.isEmpty || fraction?.isEmpty == false else { return nil }
        var exponent = ""
        if rest.popFirst(where: "eE") != nil {
            let sign = rest.popFirst(where: "+-")
            let digits = rest.popDigits()
            guard !digits.isEmpty else { return nil }
            exponent = "e\(sign == UInt8(ascii: "-") ? "-" : "")\(Substring(digits))"
        }
        guard rest.isEmpty else { return nil }
        // JSON has no leading zeros and no plus sign, and requires digits on both sides of the point.
        let significant = Substring(whole).drop { $0 == "0" }
        var number = sign == UInt8(ascii: "-") ? "-" : ""
        number += significant.isEmpty ? "0" : significant
        if let fraction { number += ".\(fraction.isEmpty ? "0" : Substring(fraction))" }
        return number + exponent
    }
}

extension Substring.UTF8View {
    fileprivate mutating func popFirst(where candidates: String) -> UInt8? {
        guard let first, candidates.utf8.contains(first) else { return nil }
        return popFirst()
    }

    fileprivate mutating func popDigits() -> Substring.UTF8View {
        let digits = prefix(while: ASCII.isDigit)
        self = dropFirst(digits.count)
        return digits
    }
}
