internal import HeadgateEventLoop
internal import HeadgateLibC

/// Reads the output of a child from a pipe, on a loop.
final class PipeReader {
    private let descriptor: Int32
    private var event: SocketEvent?
    private var partial: [UInt8] = []
    private let output: ChildProcess.Output
    private static let longestLine = 4096

    /// Takes ownership of the descriptor.
    init(loop: EventLoop, descriptor: Int32, output: ChildProcess.Output) {
        self.descriptor = descriptor
        self.output = output
        event = SocketEvent(loop: loop, descriptor: descriptor, kind: .read) { [unowned self] in
            if readSome() == 0 { event?.remove() }
        }
        event?.add()
    }

    deinit {
        event?.remove()
        close(descriptor)
    }

    /// Reads the rest of the pipe after the writer has ended. The last line might lack its end.
    func finish() {
        event?.remove()
        // At most a pipe's capacity is read, since another process can hold the other end and keep writing.
        for _ in 0..<16 where readSome() <= 0 { break }
        if case .lines(let line) = output, !partial.isEmpty { end(line) }
    }

    /// Returns the number of bytes read; 0 at the end or if reading fails, and -1 if there is nothing to read yet.
    private func readSome() -> Int {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &buffer, buffer.count)
        guard count != 0 else { return 0 }
        guard count > 0 else { return errno == EAGAIN || errno == EINTR ? -1 : 0 }
        switch output {
        case .bytes(let receive):
            buffer.withUnsafeBytes { receive(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        case .lines(let line):
            for byte in buffer[..<count] {
                if byte == 0x0A {
                    end(line)
                } else if partial.count < PipeReader.longestLine {
                    partial.append(byte)
                }
            }
        }
        return count
    }

    private func end(_ line: (String) -> Void) {
        let text = String(decoding: partial, as: UTF8.self)
        partial.removeAll(keepingCapacity: true)
        line(text)
    }
}
