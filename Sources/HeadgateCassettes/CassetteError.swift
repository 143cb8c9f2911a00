/// Why a file is no cassette.
package struct CassetteError: Error, Equatable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    package let problem: String

    package var description: String { "\(line): error: \(problem)" }
}
