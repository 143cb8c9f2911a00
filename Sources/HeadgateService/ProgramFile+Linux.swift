import HeadgateLibC

/// The file of the running program.
package enum ProgramFile {
    /// Path that runs the same program again, even if its file was replaced.
    package static var runnable: String { "/proc/self/exe" }

    /// Path of the file without symbolic links; nil, with `errno`, if it cannot be found.
    package static var path: String? {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
