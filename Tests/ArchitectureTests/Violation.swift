/// A broken rule: its place, and what to do instead.
struct Violation: CustomStringConvertible {
    let path: String
    var line: Int?
    let message: String

    init(_ file: SourceFile, line: Int? = nil, _ message: String) {
        self.init(path: file.path, line: line, message)
    }

    init(path: String, line: Int? = nil, _ message: String) {
        self.path = path
        self.line = line
        self.message = message
    }

    var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(message)" }
}
