import Glibc

/// Writes a line to standard error, unbuffered.
package func complain(_ line: String) {
    writeLine(line, to: STDERR_FILENO)
}

/// Writes a line to standard output, unbuffered: whoever waits for it reads a pipe.
package func announce(_ line: String) {
    writeLine(line, to: STDOUT_FILENO)
}

private func writeLine(_ line: String, to descriptor: Int32) {
    let bytes = Array((line + "\n").utf8)
    _ = write(descriptor, bytes, bytes.count)
}
