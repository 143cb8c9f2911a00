/// Why a script was refused, in one line.
package struct ScriptError: Error, Equatable, CustomStringConvertible {
    /// Where, as in `exchanges[0].response.status`, or line and column of what is not JSON.
    package let place: String
    package let problem: String

    package var description: String { "\(place): \(problem)" }
}
