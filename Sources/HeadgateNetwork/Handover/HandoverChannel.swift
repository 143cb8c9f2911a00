internal import CHeadgate
internal import HeadgateLibC

/// One end of the socket pair between a gateway and its successor. Blocks; belongs to one thread.
package final class HandoverChannel {
    package let descriptor: Int32
    private var parser = HandoverParser()
    private var received: [Int32] = []

    /// - Parameter descriptor: a connected socket, which the channel owns.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        for descriptor in received + [descriptor] { close(descriptor) }
    }

    /// Creates two connected ends.
    package static func pair() throws(HandoverError) -> (HandoverChannel, HandoverChannel) {
        var ends: [Int32] = [-1, -1]
        let status = headgate_handover_pair(&ends)
        guard status == 0 else { throw .system(-status) }
        return (HandoverChannel(ends[0]), HandoverChannel(ends[1]))
    }

    /// Sends a message.
    ///
    /// - Parameter descriptors: descriptors of which copies are sent with the message.
    package func send(_ message: HandoverMessage, _ descriptors: [Int32] = []) throws(HandoverError) {
        guard let bytes = message.bytes, descriptors.count <= HEADGATE_HANDOVER_DESCRIPTORS else {
            throw .system(E2BIG)
        }
        var rest = bytes[...]
        var passed = descriptors
        while !rest.isEmpty {
            let sent = rest.withUnsafeBufferPointer {
                headgate_handover_send(descriptor, $0.baseAddress, $0.count, passed, passed.count)
            }
            guard sent > 0 else { throw sent == -Int(EPIPE) ? .ended : .system(Int32(-sent)) }
            rest = rest.dropFirst(sent)
            passed = []
        }
    }

    /// Waits for the next message.
    ///
    /// - Parameters:
    ///   - limit: the maximum wait.
    ///   - isOver: called every 100 ms; true ends the wait.
    package func receive(
        within limit: Duration, unless isOver: () -> Bool = { false }
    ) throws(HandoverError) -> HandoverMessage {
        let end = ContinuousClock.now + limit
        while true {
            if let message = try parser.next() { return message }
            let ready = headgate_handover_wait(descriptor, 100)
            if ready < 0 { throw .system(-ready) }
            if ready > 0 { try read() } else if isOver() || ContinuousClock.now >= end { throw .silent }
        }
    }

    private func read() throws(HandoverError) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var descriptors = [Int32](repeating: -1, count: HEADGATE_HANDOVER_DESCRIPTORS)
        var passed = 0
        let count = headgate_handover_receive(descriptor, &bytes, bytes.count, &descriptors, &passed)
        received += descriptors.prefix(passed)
        guard count >= 0 else { throw count == -Int(ECONNRESET) ? .ended : .system(Int32(-count)) }
        guard count > 0 else { throw .ended }
        parser.append(bytes.prefix(count))
    }

    /// Takes the descriptors that have arrived so far. The caller owns them.
    package func takeDescriptors() -> [Int32] {
        defer { received = [] }
        return received
    }
}
