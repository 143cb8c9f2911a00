import CHeadgate
import HeadgateEnvironment
import HeadgateLibC
import HeadgateNetwork
import HeadgateService

/// Runs a program in this terminal.
struct ProgramLaunch {
    let arguments: [String]
    let environment: ProgramEnvironment
    /// Whether the program replaces this process, which has nothing left to do.
    let replaces: Bool

    /// - Returns: The exit code. If the program replaces this process, returns only after a failed start.
    func run() -> Int32 {
        let owned = arguments.map { strdup($0) } + [nil]
        let (variables, added) = self.variables
        defer { for pointer in owned + added { free(pointer) } }
        guard !replaces else { return failed(headgate_become(owned, variables)) }
        var status: Int32 = 0
        let error = headgate_run_in_foreground(owned, variables, &status)
        guard error == 0 else { return failed(error) }
        // The lower seven bits are the signal, the next byte is the exit code (wait(2)).
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Reports a failed start and returns the same exit code as env(1).
    private func failed(_ error: Int32) -> Int32 {
        complain("headgate: cannot run \(arguments.first ?? ""): \(systemErrorText(-error))")
        return error == -ENOENT ? 127 : 126
    }

    /// Unchanged entries of this process's environment and new entries. The caller owns the new ones.
    private var variables: (all: [UnsafeMutablePointer<CChar>?], added: [UnsafeMutablePointer<CChar>?]) {
        var kept: [UnsafeMutablePointer<CChar>?] = []
        var new = environment.variables
        var next = environ
        while let entry = next.pointee {
            next += 1
            // The bytes of an entry need not be text.
            let name = String(cString: entry).prefix { $0 != "=" }
            let value = String(cString: entry).dropFirst(name.count + 1)
            guard let wanted = environment.variables[String(name)] else { continue }
            guard wanted == value, new.removeValue(forKey: String(name)) != nil else { continue }
            kept.append(entry)
        }
        let added = new.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") }
        return (kept + added + [nil], added)
    }
}
