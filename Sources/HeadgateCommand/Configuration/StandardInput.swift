import HeadgateLibC
import HeadgateNetwork
import HeadgateService

/// Input piped into a command.
enum StandardInput {
    private static let longest = 32 << 20

    /// Whether standard input is a terminal.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Reads all of standard input, at most 32 MiB.
    ///
    /// - Throws: ``Complaint``.
    static func read() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = HeadgateLibC.read(STDIN_FILENO, &chunk, chunk.count)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw Complaint("cannot read standard input: \(systemErrorText(errno))")
            }
            bytes += chunk[..<count]
            guard bytes.count <= longest else { throw Complaint("standard input holds more than 32 MiB") }
        }
    }
}
