internal import HeadgateClient

/// Turns streamed fragments of tool calls into additions to each call's arguments, each with the call's id and name.
/// This is needed because servers number and name fragments in many ways.
struct ToolCallPieces {
    struct Piece: Equatable {
        let id: String
        let name: String
        let arguments: String
    }

    private var assembly = ToolCallAssembly()
    /// The number of reported bytes of each call's arguments; negative for a call that was not reported.
    private var told: [Int] = []

    mutating func add(_ fragments: [ToolCallFragment]) -> [Piece] {
        guard !fragments.isEmpty else { return [] }
        for fragment in fragments { assembly.add(fragment) }
        var pieces: [Piece] = []
        for (position, call) in assembly.calls.enumerated() {
            if position == told.count { told.append(-1) }
            let octets = call.arguments.utf8
            guard !call.name.isEmpty, octets.count > told[position] else { continue }
            let added = String(decoding: octets.dropFirst(max(0, told[position])), as: UTF8.self)
            pieces.append(Piece(id: call.id, name: call.name, arguments: added))
            told[position] = octets.count
        }
        return pieces
    }
}
