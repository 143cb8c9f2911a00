/// Outcome of a run, which counts a case once for each way of sending it.
struct HTTPVectorReport: Sendable, CustomStringConvertible {
    struct Failure: Sendable, CustomStringConvertible {
        let id: String
        let way: HTTPVectorWay
        /// The faults, followed by the sent and received bytes, abbreviated.
        let reasons: [String]

        var description: String {
            "\(id) (\(way.rawValue))\n    " + reasons.joined(separator: "\n    ")
        }
    }

    var passed = 0
    /// Failures in the order of the file.
    var failures: [Failure] = []
    var seconds = 0.0

    /// First 40 failures, followed by the counts.
    var description: String {
        let rest = failures.count > 40 ? ["... and \(failures.count - 40) more"] : []
        let counts = "\(passed) passed, \(failures.count) failed in \(seconds) s"
        return (failures.prefix(40).map(\.description) + rest + [counts]).joined(separator: "\n")
    }
}
