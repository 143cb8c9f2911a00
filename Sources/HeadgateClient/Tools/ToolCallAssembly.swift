/// Puts the tool calls of one response together from their streamed fragments.
///
/// By the protocol a fragment carries the index of its call, and the first one its id and name. Of real servers some
/// leave out the index, the id or both, some give every call the index 0, and some repeat id and name in every
/// fragment. So a call is recognised by what there is of index and id; a fragment without a name continues a call, and
/// a name is taken once.
package struct ToolCallAssembly {
    private struct Slot {
        let index: Int?
        var call = ToolCall(id: "", name: "", arguments: "")

        /// Whether a fragment that may belong here is more of this call, and not the first of another.
        func continues(with fragment: ToolCallFragment) -> Bool {
            let (id, name) = (fragment.id ?? "", fragment.name ?? "")
            if name.isEmpty { return true }
            if !id.isEmpty, !call.id.isEmpty { return id == call.id }
            if call.name.isEmpty { return true }
            guard name == call.name else { return false }
            // A repeated name, or another call of the same tool: only the arguments so far can tell.
            return fragment.arguments?.isEmpty != false || !hasWholeArguments
        }

        private var hasWholeArguments: Bool {
            !call.arguments.isEmpty && DecodingFailure.fault(in: Array(call.arguments.utf8)) == nil
        }

        mutating func take(_ fragment: ToolCallFragment) {
            if call.id.isEmpty { call.id = fragment.id ?? "" }
            if call.name.isEmpty { call.name = fragment.name ?? "" }
            call.arguments += fragment.arguments ?? ""
            call.additional.merge(fragment.additional) { $1 }
        }
    }

    private var slots: [Slot] = []

    package init() {}

    /// The calls so far, in the order in which they began.
    package var calls: [ToolCall] {
        slots.enumerated().map { position, slot in
            var call = slot.call
            // A result has to name its call.
            if call.id.isEmpty { call.id = "call_\(position)" }
            return call
        }
    }

    package mutating func add(_ fragment: ToolCallFragment) {
        guard let open = position(of: fragment), slots[open].continues(with: fragment) else {
            slots.append(Slot(index: fragment.index))
            slots[slots.count - 1].take(fragment)
            return
        }
        slots[open].take(fragment)
    }

    /// The call that the fragment may be a part of.
    private func position(of fragment: ToolCallFragment) -> Int? {
        let id = fragment.id ?? ""
        if let index = fragment.index {
            if let known = slots.lastIndex(where: { $0.index == index }) { return known }
            // It cannot begin a call.
            return fragment.name?.isEmpty == false ? nil : slots.indices.last
        }
        return slots.lastIndex { !id.isEmpty && $0.call.id == id } ?? slots.indices.last
    }
}
