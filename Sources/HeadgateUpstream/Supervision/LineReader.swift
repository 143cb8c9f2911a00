internal import Glibc
internal import HeadgateEventLoop

/// Reads the lines that a child writes to a pipe, on a loop.
final class LineReader {
    private let descriptor: Int32
    private var event: SocketEvent?
    private var partial: [UInt8] = []
    private let line: (String) -> Void
    private static let longestLine = 4096

    /// Takes over the descriptor.
    ///
    /// - Parameter line: is given each line without its end, at most 4 KiB of it.
    init(loop: EventLoop, descriptor: Int32, line: @escaping (String) -> Void) {
        self.descriptor = descriptor
        self.line = line
        event = SocketEvent(loop: loop, descriptor: descriptor, kind: .read) { [unowned self] in
            let count = readSome()
            if count <= 0, count != -Int(EAGAIN), count != -Int(EINTR) { event?.remove() }
        }
        event?.add()
    }

    deinit {
        event?.remove()
        close(descriptor)
    }

    /// Reads what the pipe still holds: the writer is gone. The last line may lack its end.
    func finish() {
        event?.remove()
        // A pipe's capacity, and no more: somebody else may hold the other end and go on writing.
        for _ in 0..<16 where readSome() <= 0 { break }
        if !partial.isEmpty { endLine() }
    }

    /// Octets read, 0 at the end, or a negative errno.
    private func readSome() -> Int {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return count < 0 ? -Int(errno) : 0 }
        for byte in buffer[..<count] {
            if byte == 0x0A {
                endLine()
            } else if partial.count < LineReader.longestLine {
                partial.append(byte)
            }
        }
        return count
    }

    private func endLine() {
        let text = String(decoding: partial, as: UTF8.self)
        partial.removeAll(keepingCapacity: true)
        line(text)
    }
}
