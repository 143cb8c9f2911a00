import CHeadgate
import HeadgateEnvironment
import HeadgateLibC
import HeadgateNetwork
import HeadgateService

/// Runs a program in this terminal.
struct ProgramLaunch {
    let arguments: [String]
    let environment: ProgramEnvironment
    /// Whether it takes the place of this process, which has then nothing left to do.
    let replaces: Bool

    /// - Returns: the exit code; if the program replaces this process, only after a failure to start.
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

    /// As env(1) has it.
    private func failed(_ error: Int32) -> Int32 {
        complain("headgate: cannot run \(arguments.first ?? ""): \(systemErrorText(-error))")
        return error == -ENOENT ? 127 : 126
    }

    /// The entries of this process's environment that stay, as they are, and those that are new. The latter are the
    /// caller's.
    private var variables: (all: [UnsafeMutablePointer<CChar>?], added: [UnsafeMutablePointer<CChar>?]) {
        var kept: [UnsafeMutablePointer<CChar>?] = []
        var new = environment.variables
        var next = environ
        while let entry = next.pointee {
            next += 1
            // Their bytes need not be text.
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
