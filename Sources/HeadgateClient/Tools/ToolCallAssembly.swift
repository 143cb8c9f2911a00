/// Assembles the tool calls of one response from their streamed fragments.
///
/// By the protocol, a fragment has the index of its call, and the first one also has its id and name. Some servers omit
/// the index, the id or both. Some give every call the index 0, and some repeat id and name in every fragment.
/// Therefore a call is identified by the index and the id that are present. A fragment without a name continues a call,
/// and a name is read once.
package struct ToolCallAssembly {
    private struct Slot {
        let index: Int?
        var call = ToolCall(id: "", name: "", arguments: "")

        /// Returns whether a fragment continues this call instead of beginning another one.
        func continues(with fragment: ToolCallFragment) -> Bool {
            let (id, name) = (fragment.id ?? "", fragment.name ?? "")
            if name.isEmpty { return true }
            if !id.isEmpty, !call.id.isEmpty { return id == call.id }
            if call.name.isEmpty { return true }
            guard name == call.name else { return false }
            // The name is repeated, or this is another call of the same tool. Only the arguments so far distinguish the
            // two.
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

    /// Calls so far, in the order in which they began.
    package var calls: [ToolCall] {
        slots.enumerated().map { position, slot in
            var call = slot.call
            // A result must contain the id of its call.
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

    /// Returns the position of the call that the fragment might belong to.
    private func position(of fragment: ToolCallFragment) -> Int? {
        let id = fragment.id ?? ""
        if let index = fragment.index {
            if let known = slots.lastIndex(where: { $0.index == index }) { return known }
            // A fragment without a name cannot begin a call.
            return fragment.name?.isEmpty == false ? nil : slots.indices.last
        }
        return slots.lastIndex { !id.isEmpty && $0.call.id == id } ?? slots.indices.last
    }
}
