import CHeadgate
import HeadgateLibC
import HeadgateNetwork
import HeadgateService

/// Runs the user's editor, for prompts longer than a line.
enum PromptEditor {
    private static let longest = 1 << 20
    private static let usual = ["editor", "nano", "vim", "vi"]

    /// Opens the editor with a private file. The file is removed afterwards, unless its text cannot be used.
    ///
    /// - Parameter text: Initial text.
    /// - Returns: The final text, without trailing line breaks.
    /// - Throws: ``Complaint``.
    static func edit(_ text: String) throws -> String {
        let environment = ProcessEnvironment.current
        let program = try program(environment)
        let folder = try makeFolder(environment)
        var isKept = false
        defer { if !isKept { remove(folder) } }
        let path = "\(folder)/prompt.md"
        let first = text.isEmpty ? "" : text + "\n"
        try NewFile.write(first, to: path, replacing: false)
        do {
            try run(program, on: path)
            return try self.text(in: path)
        } catch let complaint as Complaint {
            isKept = holds(path, otherThan: first)
            throw isKept ? Complaint("\(complaint.message) (what was written stays in \(path))") : complaint
        }
    }

    private static func text(in path: String) throws -> String {
        let bytes = try RegularFile.read(path, upTo: longest)
        guard var written = String(validating: bytes, as: UTF8.self) else {
            throw Complaint("what was written is no text in UTF-8: nothing is sent")
        }
        while written.last?.isNewline == true { written.removeLast() }
        return written
    }

    /// Returns whether a file has text that the user wrote.
    private static func holds(_ path: String, otherThan first: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else { return false }
        guard let bytes = try? RegularFile.read(path, upTo: longest) else { return true }
        return bytes != Array(first.utf8)
    }

    /// Creates a folder, in memory if the system has a place for that.
    private static func makeFolder(_ environment: [String: String]) throws -> String {
        let bases = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"]
        for base in bases.compactMap({ $0 }) where base.hasPrefix("/") {
            var template = Array("\(base)/headgate-XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { continue }
            return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        throw Complaint("cannot make a folder in /tmp: \(systemErrorText(errno))")
    }

    /// Returns a shell command, because the variables can contain options.
    private static func program(_ environment: [String: String]) throws -> String {
        for name in ["VISUAL", "EDITOR"] {
            if let program = environment[name], !program.allSatisfy(\.isWhitespace) { return program }
        }
        let folders = (environment["PATH"] ?? "").split(separator: ":")
        guard let found = usual.first(where: { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }) else {
            throw Complaint("there is no editor: name one in EDITOR")
        }
        return found
    }

    private static func run(_ program: String, on path: String) throws {
        let words = ["/bin/sh", "-c", "\(program) \"$1\"", "headgate", path]
        let arguments = words.map { strdup($0) } + [nil]
        defer { for pointer in arguments { free(pointer) } }
        var status: Int32 = 0
        let error = headgate_run_in_foreground(arguments, environ, &status)
        guard error == 0 else { throw Complaint("cannot run \(program): \(systemErrorText(-error))") }
        guard status == 0 else {
            let code = status & 0x7F == 0 ? "code \(status >> 8 & 0xFF)" : "signal \(status & 0x7F)"
            throw Complaint("the editor (\(program)) ended with \(code): nothing is sent")
        }
    }

    /// Removes a folder with all files in it, such as the editor's backups.
    private static func remove(_ folder: String) {
        for name in RegularFile.names(in: folder) { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
}
