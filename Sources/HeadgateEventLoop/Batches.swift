/// A queue that is processed in batches: what is added during one belongs to the next. Two buffers take turns.
struct Batches<Element> {
    private var pending: [Element] = []
    private var spare: [Element] = []

    var isEmpty: Bool { pending.isEmpty }
    var count: Int { pending.count }

    mutating func append(_ element: Element) { pending.append(element) }

    mutating func take() -> [Element] {
        var batch = spare
        spare = []
        swap(&batch, &pending)
        return batch
    }

    /// The batch has been worked off: its memory serves the next but one.
    mutating func giveBack(_ batch: consuming [Element]) {
        var batch = batch
        batch.removeAll(keepingCapacity: true)
        spare = batch
    }
}
