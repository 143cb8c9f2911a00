import Foundation
import HeadgateLibC

/// A listener on 127.0.0.1 that does not parse HTTP: after each request head it writes the next canned bytes.
final class CannedServer: Sendable {
    let port: UInt16
    private let listener: Int32

    /// - Parameter closes: true if a connection ends after the last response; false if it stays open and silent until
    ///   the client ends it.
    init(_ answers: [String], closes: Bool) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var address = sockaddr_in()
        let isListening =
            withLoopbackAddress(0) { bind(listener, $0, $1) } == 0 && listen(listener, 64) == 0
            && withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
            } == 0
        guard isListening else { throw RawConnection.Failure(call: "listen", code: errno) }
        port = UInt16(bigEndian: address.sin_port)
        self.listener = listener
        Thread.detachNewThread {
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread {
                    Self.serve(client, answers.map { [UInt8]($0.utf8) }, closes: closes)
                }
            }
            close(listener)
        }
    }

    /// Stops accepting. The accepting thread closes the socket.
    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func serve(_ client: Int32, _ answers: [[UInt8]], closes: Bool) {
        defer { close(client) }
        var input: [UInt8] = []
        for answer in answers {
            while true {
                if let end = input.firstRange(of: [UInt8]("\r\n\r\n".utf8)) {
                    input.removeSubrange(..<end.upperBound)
                    break
                }
                guard read(client, into: &input) else { return }
            }
            _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
        }
        if closes { shutdown(client, Int32(SHUT_WR)) }
        while read(client, into: &input) {}
    }

    private static func read(_ client: Int32, into input: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(client, &buffer, buffer.count, 0)
        input += buffer[..<max(0, count)]
        return count > 0
    }
}
