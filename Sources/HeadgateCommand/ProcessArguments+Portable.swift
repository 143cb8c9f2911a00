/// The command line of this process.
enum ProcessArguments {
    /// After the program's name.
    static var current: [String] { Array(CommandLine.arguments.dropFirst()) }
}
