/// Writes Swift code line by line, in the layout of swift-format.
struct SourceText {
    private static let width = 120

    let style: CodeStyle
    private let imports: [String]
    private var body = ""
    private var depth = 0
    /// Whether an empty line is due, unless a block ends or has just begun.
    private var isGapDue = false
    private var isAtOpening = false

    /// - Parameter imports: Complete import statements.
    init(_ style: CodeStyle, imports: [String] = []) {
        self.style = style
        self.imports = imports
    }

    /// Joins several files into one with all their imports.
    init(joining files: [SourceText], _ style: CodeStyle) {
        self.init(style, imports: Set(files.flatMap(\.imports)).sorted())
        body = files.map(\.body).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    var text: String {
        let header = "// Generated from \(style.document) by openapi-generator; do not edit."
        let lines = style.fileComments.flatMap {
            $0.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        }
        let comments = lines.map { "// \($0)" }
        let parts =
            [([header] + comments).joined(separator: "\n")] + (imports.isEmpty ? [] : [imports.joined(separator: "\n")])
            + [body]
        return parts.joined(separator: "\n\n")
    }

    mutating func line(_ content: String) {
        if isGapDue, !isAtOpening, !body.isEmpty { body += "\n" }
        isGapDue = false
        isAtOpening = false
        body += String(repeating: "    ", count: depth) + content + "\n"
    }

    /// Writes lines with their own indentation.
    mutating func verbatim(_ content: String) { body += content + "\n" }

    mutating func gap() { isGapDue = true }

    /// - Parameter signature: Text after the opening brace, such as the parameters of a closure.
    mutating func block(_ opening: String, signature: String = "", _ content: (inout SourceText) -> Void) {
        line(opening + " {" + signature)
        braced(content)
    }

    /// Writes an `if` statement with an `else` branch.
    mutating func block(
        _ opening: String, _ content: (inout SourceText) -> Void, otherwise other: (inout SourceText) -> Void
    ) {
        line(opening + " {")
        indented(content)
        line("} else {")
        indented(other)
        line("}")
    }

    /// Writes the content between two braces, and the closing brace.
    private mutating func braced(_ content: (inout SourceText) -> Void) {
        indented { text in
            text.isAtOpening = true
            content(&text)
        }
        isGapDue = false
        line("}")
    }

    mutating func indented(_ content: (inout SourceText) -> Void) {
        depth += 1
        content(&self)
        depth -= 1
    }

    /// Writes the declaration of a type. Its conformances are on one line if they fit, or else on several.
    mutating func type(_ start: String, _ conformances: [String], _ content: (inout SourceText) -> Void) {
        var current = start + ":"
        var isOneLine = true
        for (index, name) in conformances.enumerated() {
            let isLast = index + 1 == conformances.count
            let word = " " + name + (isLast ? "" : ",")
            let indentation = isOneLine ? depth : depth + 1
            if indentation * 4 + current.count + word.count + (isLast && isOneLine ? 2 : 0) > SourceText.width {
                if isOneLine { line(current) } else { indented { $0.line(current) } }
                isOneLine = false
                current = String(word.dropFirst())
            } else {
                current += word
            }
        }
        if isOneLine { return block(current, content) }
        indented { $0.line(current) }
        line("{")
        braced(content)
    }

    /// Writes a declaration. Its parameters are on one line if they fit, or else on one line each.
    mutating func declaration(_ start: String, _ parameters: [String], _ body: [String]) {
        if body.isEmpty { return line("\(start)(\(parameters.joined(separator: ", "))) {}") }
        declaration(start, parameters, returning: "") { text in for statement in body { text.line(statement) } }
    }

    /// - Parameters:
    ///   - end: Text between the parameters and the brace.
    ///   - body: Body; nil for a protocol requirement.
    mutating func declaration(
        _ start: String, _ parameters: [String], returning end: String, _ body: ((inout SourceText) -> Void)?
    ) {
        let finish = { (ending: String, text: inout SourceText) in
            if let body { text.block(ending, body) } else { text.line(ending) }
        }
        let oneLine = "\(start)(\(parameters.joined(separator: ", ")))\(end)"
        if depth * 4 + oneLine.count + (body == nil ? 0 : 2) <= SourceText.width { return finish(oneLine, &self) }
        line(start + "(")
        indented { text in
            for (index, parameter) in parameters.enumerated() {
                text.line(parameter + (index + 1 == parameters.count ? "" : ","))
            }
        }
        finish(")" + end, &self)
    }

    /// Writes a call with a trailing closure. The arguments are on separate lines if they do not fit on one.
    ///
    /// - Parameter signature: Text after the opening brace.
    mutating func call(
        _ start: String, _ arguments: String, signature: String, _ closure: (inout SourceText) -> Void
    ) {
        let oneLine = "\(start)(\(arguments))"
        if depth * 4 + oneLine.count + 2 + signature.count <= SourceText.width {
            return block(oneLine, signature: signature, closure)
        }
        line(start + "(")
        indented { text in
            var current = ""
            for argument in arguments.split(separator: ", ") {
                if !current.isEmpty, text.depth * 4 + current.count + argument.count + 3 > SourceText.width {
                    text.line(current + ",")
                    current = ""
                }
                current += (current.isEmpty ? "" : ", ") + argument
            }
            text.line(current)
        }
        block(")", signature: signature, closure)
    }

    /// Writes a call. Its arguments are on one line if they fit, or else on one line each.
    mutating func call(_ start: String, _ arguments: [String]) {
        let oneLine = "\(start)(\(arguments.joined(separator: ", ")))"
        if depth * 4 + oneLine.count <= SourceText.width { return line(oneLine) }
        line(start + "(")
        indented { text in
            for (index, argument) in arguments.enumerated() {
                text.line(argument + (index + 1 == arguments.count ? ")" : ","))
            }
        }
    }

    /// Assigns a case to `self`, whose value is created from these arguments.
    mutating func assign(_ member: String, _ arguments: [String]) {
        let oneLine = "self = .\(member)(.init(\(arguments.joined(separator: ", "))))"
        if depth * 4 + oneLine.count <= SourceText.width { return line(oneLine) }
        line("self = .\(member)(")
        indented { $0.call(".init", arguments.dropLast() + ["\(arguments[arguments.count - 1]))"]) }
    }

    /// Writes a type alias, with the type on a separate line if there is no room.
    mutating func alias(_ name: String, _ type: String) {
        let start = "\(style.member)typealias \(name) ="
        if depth * 4 + start.count + 1 + type.count <= SourceText.width { return line("\(start) \(type)") }
        line(start)
        indented { $0.line(type) }
    }

    /// Writes a getter that returns the value bound by a pattern, on one line if it fits.
    mutating func getter(_ pattern: String, _ value: String, orThrowing error: String) {
        let choice = "if \(pattern) = self { \(value) } else { throw \(error) }"
        let oneLine = "get throws { \(choice) }"
        if depth * 4 + oneLine.count <= SourceText.width { return line(oneLine) }
        block("get throws") { text in
            if text.depth * 4 + choice.count <= SourceText.width { return text.line(choice) }
            text.line("if \(pattern) = self { return \(value) }")
            text.line("throw \(error)")
        }
    }

    /// Writes a case of a switch with its only statement, on one line if it fits.
    mutating func branch(_ pattern: String, _ statement: String) {
        if depth * 4 + pattern.count + 1 + statement.count <= SourceText.width {
            return line("\(pattern) \(statement)")
        }
        line(pattern)
        indented { $0.line(statement) }
    }

    /// Writes a list on one line if it fits, or else on several lines, each as full as possible.
    ///
    /// - Parameter end: Text after the list.
    mutating func list(_ start: String, _ elements: [String], end: String = "") {
        let oneLine = "\(start)[\(elements.joined(separator: ", "))]\(end)"
        if depth * 4 + oneLine.count <= SourceText.width { return line(oneLine) }
        line(start + "[")
        indented { text in
            var current = ""
            for element in elements {
                if !current.isEmpty, text.depth * 4 + current.count + element.count + 2 > SourceText.width {
                    text.line(current)
                    current = ""
                }
                current += (current.isEmpty ? "" : " ") + element + ","
            }
            text.line(current)
        }
        line("]" + end)
    }

    /// Writes a documentation comment, wrapped into lines. Nil writes nothing.
    mutating func comment(_ content: String?) {
        guard let content else { return }
        for paragraph in content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .dropLastWhileEmpty()
        {
            // Items of a list stay on separate lines.
            let isBlank = paragraph.allSatisfy { $0 == " " }
            let start = "///" + (isBlank ? "" : paragraph.prefix { $0 == " " })
            var current = start
            for word in paragraph.split(separator: " ") {
                if depth * 4 + current.count + 1 + word.count > SourceText.width {
                    line(current)
                    current = start
                }
                current += " " + word
            }
            line(current)
        }
    }
}

extension [Substring] {
    fileprivate func dropLastWhileEmpty() -> SubSequence {
        self[..<(lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0)]
    }
}
