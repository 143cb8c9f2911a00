import HeadgateConfiguration

/// The command line of this process.
enum ProcessArguments {
    /// Arguments after the program's name.
    ///
    /// They are read from the kernel. The standard library searches for them below the environment, and finds none if a
    /// library has moved the environment before `main` by an early `setenv`: then every command would be the default
    /// one.
    static var current: [String] {
        guard let text = try? RegularFile.read("/proc/self/cmdline", upTo: longest), !text.isEmpty else {
            return Array(CommandLine.arguments.dropFirst())
        }
        return ProcessArguments.read(text)
    }

    /// Linux takes 2 MiB of them unless the stack is larger.
    private static let longest = 16 << 20

    /// - Parameter commandLine: each with a zero behind it, the program's name first.
    static func read(_ commandLine: [UInt8]) -> [String] {
        let ended = commandLine.last == 0 ? commandLine.dropLast() : commandLine[...]
        return ended.split(separator: 0, omittingEmptySubsequences: false).dropFirst().map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
