import HeadgateConfiguration

/// The command line of this process.
enum ProcessArguments {
    /// Arguments after the program's name.
    ///
    /// They are read from the kernel. The standard library searches for them below the environment. It finds none if a
    /// library has moved the environment before `main` by an early `setenv`, and then every command would be the
    /// default one.
    static var current: [String] {
        guard let text = try? RegularFile.read("/proc/self/cmdline", upTo: longest), !text.isEmpty else {
            return Array(CommandLine.arguments.dropFirst())
        }
        return ProcessArguments.read(text)
    }

    /// Maximum bytes of arguments. Linux accepts 2 MiB unless the stack is larger.
    private static let longest = 16 << 20

    /// - Parameter commandLine: Arguments, each followed by a zero byte, with the program's name first.
    static func read(_ commandLine: [UInt8]) -> [String] {
        let ended = commandLine.last == 0 ? commandLine.dropLast() : commandLine[...]
        return ended.split(separator: 0, omittingEmptySubsequences: false).dropFirst().map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
