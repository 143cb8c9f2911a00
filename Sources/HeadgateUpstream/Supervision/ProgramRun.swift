package import HeadgateEventLoop

/// One run of a program that reads a short text from its standard input and ends. Confined to its loop; it retains
/// itself until the program has ended.
package final class ProgramRun {
    /// Reason why a run did not succeed.
    package enum Failure: Error, CustomStringConvertible {
        case notStarted(SpawnError)
        case ended(ProcessEnd)

        /// Completes "the command ...".
        package var description: String {
            switch self {
            case .notStarted(let error): "cannot be started: \(error)"
            case .ended(let end): "ended with \(end)"
            }
        }
    }

    private var child: ChildProcess?

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - arguments: the program, as a path or a name to be found in `PATH`, and its arguments. No shell interprets
    ///     them.
    ///   - environment: all variables of the program.
    ///   - input: text of at most 4 KiB, which a pipe holds.
    ///   - output: receives the program's output.
    ///   - completion: called once, with nil after a success. It is called before this returns if the program cannot be
    ///     started, and otherwise after the last output.
    package init(
        _ arguments: [String], environment: [String: String], input: String = "",
        errorOutput: ChildProcess.ErrorOutput, output: ChildProcess.Output, on loop: EventLoop,
        completion: @escaping (Failure?) -> Void
    ) {
        do {
            let child = try ChildProcess(
                loop: loop, arguments: arguments, environment: environment, errorOutput: errorOutput, output: output
            ) { [self] end in
                self.child = nil
                completion(end.isSuccess ? nil : .ended(end))
            }
            self.child = child
            child.send(input)
            child.closeInput()
        } catch {
            completion(.notStarted(error))
        }
    }

    /// Asks the program to end.
    package func terminate() { child?.terminate() }

    /// Ends the program and its descendants.
    package func kill() { child?.forceEnd() }
}
