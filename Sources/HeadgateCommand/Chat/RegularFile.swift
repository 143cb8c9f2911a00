import HeadgateLibC
import HeadgateNetwork
import HeadgateService
import HeadgateTerminal

/// Reads files that the user named.
enum RegularFile {
    /// Reads a whole file.
    ///
    /// - Parameter limit: Maximum size in bytes.
    /// - Throws: ``Complaint`` if the file is missing, not regular, or larger.
    static func read(_ path: String, upTo limit: Int) throws -> [UInt8] {
        // Opening a pipe without a writer must not block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Complaint("cannot read \(path): \(systemErrorText(errno))") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Complaint("\(path) is no file")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = HeadgateLibC.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw Complaint("cannot read \(path): \(systemErrorText(errno))")
            }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw Complaint("\(path) is larger than \(limit >> 20) MiB") }
        }
    }

    /// Returns a path with `~` replaced by the home folder.
    static func path(_ typed: String) -> String {
        guard typed == "~" || typed.hasPrefix("~/") else { return typed }
        return (ProcessEnvironment.current["HOME"] ?? "~") + typed.dropFirst()
    }

    /// Returns the path after a command, which can be quoted.
    static func path(ofArgument typed: String) -> String {
        let words = QuotedWords.split(typed)
        return path(words.count == 1 ? words[0] : typed)
    }

    /// Returns the names in a folder; empty if it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Returns the completions of a path's beginning, without names that require quotes or cannot be shown.
    static func completions(of typed: String) -> [String] {
        let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
        let beginning = typed.dropFirst(folder.count)
        var names: [String] = []
        for name in self.names(in: folder.isEmpty ? "." : path(folder)) {
            let isPlain = name.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\\" && $0 != "\"" && $0 != "'" }
            guard isPlain, Neutralised.line(name) == name, name.hasPrefix(beginning) else { continue }
            guard !name.hasPrefix(".") || beginning.hasPrefix(".") else { continue }
            var status = stat()
            let isFolder = stat(path(folder + name), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            names.append(folder + name + (isFolder ? "/" : ""))
        }
        return names.sorted()
    }
}
