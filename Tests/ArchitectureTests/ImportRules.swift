/// Rules about imports between modules.
enum ImportRules {
    /// Each import must be in the row of its target.
    static func outsideTheTable(_ files: [SourceFile], layers: [Layer]) -> [Violation] {
        files.flatMap { file -> [Violation] in
            guard let layer = layers.first(where: { $0.target == file.target }) else { return [] }
            return imports(of: file).filter { !layer.allowed.contains($0.module) }.map { line, module in
                let allowed = layer.allowed.sorted().joined(separator: ", ")
                let advice = "move the code to a higher target, or change the table in Layers.swift with the manifest"
                return Violation(file, line: line, "\(layer.target) may import \(allowed), not \(module): \(advice)")
            }
        }
    }

    /// Only FoundationEssentials may be imported, even if a row allows more by mistake. Exceptions are the transport
    /// for apps, which the gateway never links, and code that runs in SwiftPM. Code for Apple's systems is exempt too,
    /// because they have no separate module for the essentials.
    static func foundation(_ files: [SourceFile]) -> [Violation] {
        files.filter { !["HeadgateClientURLSession", "OpenAPIGeneratorPlugin"].contains($0.target) }.flatMap { file in
            let elsewhere = linesWithoutEssentials(file)
            return imports(of: file).filter { line, module in
                module.wholeMatch(of: fullFoundation) != nil && !elsewhere.contains(line)
            }.map { line, module in
                let reason = "\(module) brings the static binary from 26 MB to 78 and its idle memory from 13 MB to 19"
                return Violation(
                    file, line: line, "\(reason): use HeadgateLibC, or FoundationEssentials where the table has it")
            }
        }
    }

    /// Returns the numbers of lines that are compiled only without a module FoundationEssentials.
    private static func linesWithoutEssentials(_ file: SourceFile) -> Set<Int> {
        var lines: Set<Int> = []
        var condition = ""
        for (number, text) in file.code {
            let text = text.trimmingPrefix { $0 == " " }
            if text.hasPrefix("#") {
                condition = text.hasPrefix("#else") ? "!" + condition : String(text)
            } else if condition == "!#if canImport(FoundationEssentials)" {
                lines.insert(number)
            }
        }
        return lines
    }

    /// A row may name only targets above it. Products of other packages have no rows.
    static func upwards(_ layers: [Layer]) -> [Violation] {
        let position = Dictionary(uniqueKeysWithValues: layers.enumerated().map { ($0.element.target, $0.offset) })
        return layers.enumerated().flatMap { index, layer in
            layer.uses.sorted().filter { (position[$0] ?? -1) >= index }.map { used in
                let advice = "a target depends only on lower ones; invert it with a protocol in the lower target"
                return Violation(path: "Layers.swift", "\(layer.target) uses \(used), which is not above it: \(advice)")
            }
        }
    }

    private static func imports(of file: SourceFile) -> [(line: Int, module: String)] {
        file.code.compactMap { number, text in
            text.contains("import") ? text.prefixMatch(of: statement).map { (number, String($0.1)) } : nil
        }
    }

    // A Regex is not Sendable, but these never change.
    private nonisolated(unsafe) static let fullFoundation = #/Foundation(Networking|XML|Internationalization)?/#

    private nonisolated(unsafe) static let statement =
        #/
        \s*(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|fileprivate|private)\s+)*
        import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(\w+)
        /#
}
