internal import Glibc

/// Finds programs as a shell does.
enum ProgramSearch {
    /// The path of a program, or nil. A name with a slash is a path already and is not looked for.
    static func find(_ program: String, in environment: [String: String]) -> String? {
        if program.contains("/") { return program }
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").map { "\($0)/\(program)" }.first {
            $0.hasPrefix("/") && access($0, X_OK) == 0
        }
    }
}
