/// The lines of a settings file that this command added, and those that it turned into comments because they set the
/// same things. Each block of added lines is between two markers.
///
/// The second marker follows the value on the last line instead of being on a line of its own. Some programs parse a
/// file and append to it. They keep a comment next to its value, but move a comment at the end of the file to the new
/// end.
struct MarkedLines {
    static let end = "# <<< headgate"
    static let aside = "# headgate set this aside: "
    private static let start = "# >>> headgate"

    /// Returns the first line of a block.
    static func begin(_ app: String) -> String {
        "\(start): from 'headgate setup \(app)'; 'headgate setup \(app) --undo' removes it"
    }

    /// The lines of the file without the blocks, and with the lines that were turned into comments as they were.
    let original: [String]
    /// Whether the file had a block.
    let isPresent: Bool

    init(_ text: String) throws(EditRefusal) {
        var (lines, isInside, isPresent): ([String], Bool, Bool) = ([], false, false)
        for (index, line) in TextLines.split(text).enumerated() {
            let trimmed = TextLines.trimmed(line)
            if TextLines.begins(trimmed, with: MarkedLines.start) {
                guard !isInside else { throw MarkedLines.damaged(index) }
                (isInside, isPresent) = (true, true)
            } else if trimmed.utf8.reversed().starts(with: MarkedLines.end.utf8.reversed()) {
                guard isInside else { throw MarkedLines.damaged(index) }
                isInside = false
            } else if !isInside {
                lines.append(MarkedLines.restored(line))
            }
        }
        guard !isInside else { throw MarkedLines.damaged(TextLines.split(text).count - 1) }
        (original, self.isPresent) = (lines, isPresent)
    }

    /// Returns a block of at least one line.
    static func block(_ lines: [String], app: String, indentation: String = "", ending: String) -> [String] {
        var block = [begin(app)] + lines
        block[block.count - 1] += " " + end
        return block.map { indentation + $0 + ending }
    }

    /// Returns the line as a comment.
    static func settingAside(_ line: String) -> String { TextLines.trimmed(line).isEmpty ? line : aside + line }

    private static func restored(_ line: String) -> String {
        TextLines.begins(line, with: aside)
            ? String(decoding: line.utf8.dropFirst(aside.utf8.count), as: UTF8.self) : line
    }

    private static func damaged(_ index: Int) -> EditRefusal {
        EditRefusal(
            "has a damaged headgate block at line \(index + 1): its two marker lines, '\(start)' and '\(end)', "
                + "must be a pair")
    }
}
