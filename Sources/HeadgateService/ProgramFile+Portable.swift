import HeadgateLibC

/// The file of the running program.
package enum ProgramFile {
    /// Path that runs the same program again.
    package static var runnable: String { path ?? CommandLine.arguments[0] }

    /// Path of the file without symbolic links, as of its first use; nil, with `errno`, if it cannot be found.
    package static let path: String? = {
        let name = CommandLine.arguments[0]
        let folders = name.contains("/") ? [""] : path(of: "PATH").split(separator: ":").map { "\($0)/" }
        for folder in folders {
            guard access(folder + name, X_OK) == 0, let resolved = realpath(folder + name, nil) else { continue }
            defer { free(resolved) }
            return String(cString: resolved)
        }
        return nil
    }()

    private static func path(of variable: String) -> String { getenv(variable).map { String(cString: $0) } ?? "" }
}
