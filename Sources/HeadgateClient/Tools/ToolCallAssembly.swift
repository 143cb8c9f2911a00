/// Puts the tool calls of one answer together from their streamed fragments.
///
/// Fragments belong together by their index. Some servers leave the index out, or repeat id and name in every fragment: a new id
/// begins a new call, the same one does not.
struct ToolCallAssembly {
    private struct Slot {
        let index: Int?
        var call: ToolCall
    }

    private var slots: [Slot] = []

    /// The calls so far, in the order in which they began.
    var calls: [ToolCall] {
        slots.enumerated().map { position, slot in
            var call = slot.call
            // A result has to name its call.
            if call.id.isEmpty { call.id = "call_\(position)" }
            return call
        }
    }

    mutating func add(_ fragment: ToolCallFragment) {
        let id = fragment.id ?? ""
        let position = position(of: fragment, id: id)
        if slots[position].call.id.isEmpty { slots[position].call.id = id }
        if slots[position].call.name.isEmpty { slots[position].call.name = fragment.name ?? "" }
        slots[position].call.arguments += fragment.arguments ?? ""
    }

    private mutating func position(of fragment: ToolCallFragment, id: String) -> Int {
        let open =
            if let index = fragment.index {
                slots.lastIndex { $0.index == index }
            } else if id.isEmpty {
                slots.indices.last
            } else {
                slots.lastIndex { $0.call.id == id } ?? slots.lastIndex { $0.call.id.isEmpty }
            }
        if let open, id.isEmpty || slots[open].call.id.isEmpty || slots[open].call.id == id { return open }
        slots.append(Slot(index: fragment.index, call: ToolCall(id: "", name: "", arguments: "")))
        return slots.count - 1
    }
}
