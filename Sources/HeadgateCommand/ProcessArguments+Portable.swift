/// The command line of this process.
enum ProcessArguments {
    /// Arguments after the program's name.
    static var current: [String] { Array(CommandLine.arguments.dropFirst()) }
}
