internal import Glibc
internal import HeadgateEventLoop

/// Reads the lines that a child writes to a pipe, on a loop.
final class LineReader {
    private let descriptor: Int32
    private var event: SocketEvent?
    private var partial: [UInt8] = []
    private let line: (String) -> Void
    private let ended: () -> Void

    /// Takes over the descriptor.
    ///
    /// - Parameters:
    ///   - line: is given each line without its end, at most 4 KiB of it.
    ///   - ended: called once when the child has closed its end.
    init(loop: EventLoop, descriptor: Int32, line: @escaping (String) -> Void, ended: @escaping () -> Void) {
        self.descriptor = descriptor
        self.line = line
        self.ended = ended
        event = SocketEvent(loop: loop, descriptor: descriptor, kind: .read) { [unowned self] in readable() }
        event?.add()
    }

    deinit {
        event?.remove()
        close(descriptor)
    }

    private func readable() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            event?.remove()
            return ended()
        }
        for byte in buffer[..<count] {
            if byte == 0x0A {
                line(String(decoding: partial, as: UTF8.self))
                partial.removeAll(keepingCapacity: true)
            } else if partial.count < 4096 {
                partial.append(byte)
            }
        }
    }
}
