import Glibc

/// The file of the running program.
package enum ProgramFile {
    /// What runs the same program again, also where its file has been replaced since.
    package static var runnable: String { "/proc/self/exe" }

    /// Its path without symbolic links; nil, with `errno`, where it cannot be found.
    package static var path: String? {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
