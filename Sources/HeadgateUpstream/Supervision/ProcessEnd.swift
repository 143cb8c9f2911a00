/// How a process ended.
package struct ProcessEnd: Equatable, CustomStringConvertible {
    /// As `waitpid` gives it.
    let waitStatus: Int32

    var isSuccess: Bool { waitStatus == 0 }

    /// Such as "exit status 1".
    package var description: String {
        let signal = waitStatus & 0x7F
        guard signal == 0 else { return "signal \(signal)" }
        let code = waitStatus >> 8 & 0xFF
        // What the child exits with when its exec failed, and what shells use for the same.
        return code == 127 ? "exit status 127 (it cannot be executed)" : "exit status \(code)"
    }
}
