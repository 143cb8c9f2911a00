package import HeadgateEventLoop

/// One run of a program that reads a short text from its standard input and ends. Confined to its loop; it keeps itself
/// until the program has ended.
package final class ProgramRun {
    private var child: ChildProcess?
    private var lastLine = ""
    private let completion: (String?) -> Void

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: the program, by path or found in `PATH`, and its arguments. No shell reads them.
    ///   - environment: variables of the gateway, of which the program gets those that hold no provider's key.
    ///   - input: at most 4 KiB, which a pipe holds.
    ///   - completion: called once, later, with the reason of a failure.
    package init(
        _ arguments: [String], environment: [String: String], input: String, on loop: EventLoop,
        completion: @escaping (String?) -> Void
    ) {
        self.completion = completion
        let variables = InheritedEnvironment.from(environment)
        guard let path = ProgramSearch.find(arguments[0], in: environment) else {
            completion("there is no program '\(arguments[0])' in PATH")
            return
        }
        do {
            let child = try ChildProcess(
                loop: loop, arguments: [path] + arguments.dropFirst(), environment: variables,
                errorOutput: .captured, startsOthers: false
            ) { [self] line in
                if !line.isEmpty { lastLine = line }
            } exited: { [self] end in
                self.child = nil
                let words = lastLine.isEmpty ? "" : ": \(lastLine)"
                completion(end.isSuccess ? nil : "\(end)\(words)")
            }
            self.child = child
            child.send(input)
            child.closeInput()
        } catch {
            completion("cannot start it (error \(error.error))")
        }
    }

    /// Ends the program and what it has started.
    package func kill() { child?.forceEnd() }
}
