import HeadgateLibC
import HeadgateNetwork

/// Result of one participant's turn.
enum Turn: Equatable {
    case again
    case waits(TLSProgress)
    case done
}

struct Participant {
    let descriptor: Int32
    let turn: () -> Turn
}

/// No participant can continue, and no bytes are on their way.
struct Standstill: Error {}

/// Runs every participant in turn until all are done.
///
/// All sockets are local: if no socket is ready after a round, none ever will be.
///
/// - Parameter between: moves bytes between the sockets, and returns whether it moved any.
/// - Throws: ``Standstill`` if no participant can continue.
func takeTurns(_ participants: [Participant], between: () -> Bool = { false }) throws {
    var remaining = participants
    while !remaining.isEmpty {
        var awaited: [pollfd] = []
        var somebodyMoves = false
        remaining = remaining.filter { participant in
            switch participant.turn() {
            case .done:
                somebodyMoves = true
                return false
            case .again:
                somebodyMoves = true
            case .waits(let progress):
                let events = progress == .wantsWrite ? POLLOUT : POLLIN
                awaited.append(pollfd(fd: participant.descriptor, events: Int16(events), revents: 0))
            }
            return true
        }
        let hasMoved = between()
        guard somebodyMoves || hasMoved || poll(&awaited, nfds_t(awaited.count), 0) > 0 else { throw Standstill() }
    }
}

/// Returns two connected, non-blocking sockets.
func connectedSockets(sendBuffer: Int32? = nil) -> (near: Int32, far: Int32) {
    var ends: [Int32] = [0, 0]
    let status = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends)
    precondition(status == 0)
    if var size = sendBuffer {
        for end in ends { setsockopt(end, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
    }
    return (ends[0], ends[1])
}

/// Passes one byte in each direction between two sockets, if there is one. Returns whether it passed any.
func passOneByte(between left: Int32, and right: Int32) -> Bool {
    var hasMoved = false
    for (from, to) in [(left, right), (right, left)] {
        var byte: UInt8 = 0
        guard recv(from, &byte, 1, 0) == 1 else { continue }
        precondition(send(to, &byte, 1, Int32(MSG_NOSIGNAL)) == 1)
        hasMoved = true
    }
    return hasMoved
}

func closeAll(_ descriptors: Int32...) {
    for descriptor in descriptors { close(descriptor) }
}
