/// The message of an error that is not JSON: plain text, XML, or an HTML page.
package enum ErrorText {
    /// Returns the message of an error body in one line.
    ///
    /// - Returns: Nil if the body has no message, such as an image or a page without a title.
    package static func words(_ body: UnsafeRawBufferPointer) -> String? {
        guard body.count <= ErrorReport.longestDocument else { return nil }
        var text = Substring(decoding: body, as: UTF8.self)
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        text = text.drop(while: \.isWhitespace)
        guard text.first == "<" else { return line(text) }
        let name = text.prefix(512).lowercased()
        let isPage = name.hasPrefix("<!doctype html") || name.contains("<html")
        for element in isPage ? ["title", "h1"] : ["message", "detail", "faultstring", "description", "title"] {
            if let contents = contents(of: element, in: text.utf8), let words = line(unescaped(contents)) {
                return words
            }
        }
        return nil
    }

    /// Returns the text with each run of white space as one space; nil if it is empty or binary.
    private static func line(_ text: Substring) -> String? {
        guard !text.unicodeScalars.prefix(512).contains(where: isBinary) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    private static func isBinary(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 && !(0x09...0x0D).contains(scalar.value) || scalar.value == 0xFFFD || scalar.value == 0x7F
    }

    /// Returns the contents of the first element with a name, ignoring case and namespace prefix.
    private static func contents(of element: String, in markup: Substring.UTF8View) -> Substring? {
        var rest = markup
        while let opening = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[rest.index(after: opening)...]
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            let tag = rest[..<end]
            // An empty element such as `<message/>` has no contents.
            guard isNamed(tag, element), tag.last != UInt8(ascii: "/") else { continue }
            let inside = rest[rest.index(after: end)...]
            var search = inside
            while let closing = search.firstIndex(of: UInt8(ascii: "<")) {
                let after = search[search.index(after: closing)...]
                if after.first == UInt8(ascii: "/") { return Substring(inside[..<closing]) }
                search = after
            }
            return nil
        }
        return nil
    }

    /// - Parameter tag: The tag without its angle brackets.
    private static func isNamed(_ tag: Substring.UTF8View, _ element: String) -> Bool {
        var name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        if let colon = name.lastIndex(of: UInt8(ascii: ":")) { name = name[name.index(after: colon)...] }
        return name.count == element.utf8.count && zip(name, element.utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    /// Returns the text with XML references decoded in one pass.
    private static func unescaped(_ text: Substring) -> Substring {
        var text = text
        if text.hasPrefix("<![CDATA["), let end = text.lastIndex(of: "]") {
            text = text.dropFirst(9)[..<end]
            return text.last == "]" ? text.dropLast() : text
        }
        var output = Substring()
        while let start = text.firstIndex(of: "&") {
            output += text[..<start]
            text = text[text.index(after: start)...]
            guard let end = text.prefix(10).firstIndex(of: ";"), let character = character(text[..<end]) else {
                output.append("&")
                continue
            }
            output.append(character)
            text = text[text.index(after: end)...]
        }
        return output + text
    }

    private static func character(_ reference: Substring) -> Character? {
        switch reference {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return " "
        default:
            guard reference.first == "#" else { return nil }
            let digits = reference.dropFirst()
            // `UInt32(_:radix:)` also accepts a sign.
            guard digits.allSatisfy({ $0 == "x" || $0.isHexDigit }) else { return nil }
            let code = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }
}
