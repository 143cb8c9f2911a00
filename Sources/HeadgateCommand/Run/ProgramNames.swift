import ArgumentParser
import HeadgateLibC
import HeadgateService

/// Completion of program and file names on a command line to run.
enum ProgramNames {
    /// Completes programs for the first word, and files for other words and for paths.
    static let completion = CompletionKind.custom { words, index, prefix in
        isProgram(words, index) && !prefix.contains("/") ? programs(prefix) : files(prefix)
    }

    /// Returns whether the word at the index is the first one that is not an option of this command or its value.
    private static func isProgram(_ words: [String], _ index: Int) -> Bool {
        guard let start = words.firstIndex(of: "run") else { return false }
        var next = start + 1
        let options: Set = ["-c", "--config", "--url", "--key-file", "--keep"]
        while next < index, next < words.count {
            let word = words[next]
            guard word.hasPrefix("-") else { return false }
            next += options.contains(word) ? 2 : 1
        }
        return true
    }

    private static func programs(_ prefix: String) -> [String] {
        let folders = (ProcessEnvironment.current["PATH"] ?? "").split(separator: ":").map(String.init)
        let names = folders.flatMap { folder in
            entries(of: folder).filter { $0.hasPrefix(prefix) && access("\(folder)/\($0)", X_OK) == 0 }
        }
        return Set(names).sorted()
    }

    private static func files(_ prefix: String) -> [String] {
        let slash = prefix.lastIndex(of: "/")
        let folder = slash.map { String(prefix[...$0]) } ?? ""
        let beginning = slash.map { prefix[prefix.index(after: $0)...] } ?? prefix[...]
        return entries(of: folder.isEmpty ? "." : folder)
            .filter { $0.hasPrefix(beginning) && (beginning.hasPrefix(".") || !$0.hasPrefix(".")) }
            .map { folder + $0 }.sorted()
    }

    private static func entries(of folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
