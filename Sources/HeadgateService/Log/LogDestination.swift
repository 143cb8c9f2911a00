import HeadgateLibC
import HeadgateNetwork

/// Destination of the lines of a ``LogWriter``.
protocol LogDestination: Sendable {
    /// Writes whole lines. Can block.
    ///
    /// - Throws: ``LogLoss`` if not all of them could be written.
    mutating func write(_ lines: [UInt8]) throws(LogLoss)
    /// Reopens a file that might have been moved away.
    mutating func reopen()
}

/// Lines that could not be written.
struct LogLoss: Error, Equatable {
    /// Error number.
    let error: Int32
    let lines: Int
    /// Number of bytes written.
    var written = 0
    /// Whether the last written line lacks its end.
    var isCut = false
}

/// An inherited descriptor, such as standard error.
struct LogDescriptor: LogDestination {
    let descriptor: Int32

    func write(_ lines: [UInt8]) throws(LogLoss) { try LogDescriptor.write(lines, to: descriptor) }

    /// Does nothing, since there is no file.
    func reopen() {}

    /// Writes lines to a descriptor.
    ///
    /// - Throws: ``LogLoss``. A line that is cut counts as lost.
    static func write(_ lines: [UInt8], to descriptor: Int32) throws(LogLoss) {
        var rest = lines[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { HeadgateLibC.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            let error = count == 0 ? EIO : errno
            switch error {
            case EINTR: continue
            case EAGAIN:
                // Another process that shares the descriptor has made it non-blocking.
                var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&writable, 1, -1)
            default:
                let isCut = rest.startIndex > 0 && lines[rest.startIndex - 1] != 0x0A
                throw LogLoss(
                    error: error, lines: rest.count { $0 == 0x0A }, written: rest.startIndex, isCut: isCut)
            }
        }
    }
}

/// Writes a line to standard error, unbuffered.
package func complain(_ line: String) {
    writeLine(line, to: STDERR_FILENO)
}

/// Writes a line to standard output without buffering, since its reader can wait at a pipe.
package func announce(_ line: String) {
    writeLine(line, to: STDOUT_FILENO)
}

private func writeLine(_ line: String, to descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    _ = write(descriptor, bytes, bytes.count)
}
