/// Queue of the calls in a stream. Their fragments can alternate, but the format allows only one open block.
///
/// The first call is open, and its fragments are forwarded at once. Fragments of later calls are held until the calls
/// before them are complete: their JSON is closed, or nothing more can arrive.
struct MessagesCallQueue {
    struct Call {
        var index: Int
        var id: String
        var name: String
        var isCustom: Bool
        /// Fragments that arrived before the call's turn.
        var held = ""
        var document = JSONCompleteness()

        /// Whether nothing more can come for the call. The end of a free text cannot be recognized.
        var isWhole: Bool { !isCustom && document.isWhole }
    }

    /// Maximum bytes that are held for one response.
    static let capacity = 4 << 20

    /// All calls in the order in which they began.
    private(set) var calls: [Call] = []
    /// Number of calls that have been opened, including the one that is still open.
    private(set) var turnCount = 0
    /// Whether the last opened call is still open.
    private(set) var isOpen = false
    private var heldCount = 0

    var isEmpty: Bool { calls.isEmpty }

    mutating func begin(index: Int, id: String, name: String, isCustom: Bool) {
        guard !calls.contains(where: { $0.index == index }) else { return }
        calls.append(Call(index: index, id: id, name: name, isCustom: isCustom))
    }

    /// - Returns: Whether the fragment belongs to the open call and is forwarded at once; otherwise it is held.
    mutating func receive(index: Int, _ fragment: String) throws(ResponseFault) -> Bool {
        guard let place = calls.firstIndex(where: { $0.index == index }) else { throw .unexpected }
        let isCurrent = place == turnCount - 1 && isOpen
        if place < turnCount, !isCurrent {
            // The call has ended; only white space may follow.
            guard fragment.isBlank else { throw .unexpected }
            return false
        }
        if !calls[place].isCustom { calls[place].document.receive(fragment) }
        guard !isCurrent else { return true }
        heldCount += fragment.utf8.count
        guard heldCount <= MessagesCallQueue.capacity else { throw .oversize }
        calls[place].held += fragment
        return false
    }

    /// The open call.
    var current: Call? { isOpen ? calls[turnCount - 1] : nil }

    /// Whether a call is waiting to be opened.
    var hasWaiting: Bool { turnCount < calls.count }

    mutating func openNext() -> Call {
        turnCount += 1
        isOpen = true
        let call = calls[turnCount - 1]
        heldCount -= call.held.utf8.count
        calls[turnCount - 1].held = ""
        return call
    }

    mutating func close() { isOpen = false }
}

/// Whether a JSON object or array that arrives in fragments is closed. Invalid JSON can seem complete too early, or
/// never.
struct JSONCompleteness {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var hasBegun = false

    var isWhole: Bool { hasBegun && depth == 0 }

    mutating func receive(_ fragment: String) {
        for byte in fragment.utf8 {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                hasBegun = true
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
    }
}
