/// The requests of a gateway's own journal that are written next, in one transaction.
///
/// They stay the same until they are let go of, however often they are tried. Otherwise those that are left out of a
/// later try would look as if they were written once that is: their slots have the number of an earlier one.
struct JournalBatch {
    private let journal: Journal
    private(set) var entries: [JournalEntry] = []
    /// A new one for each try.
    private(set) var number: Int64 = 0

    init(of journal: Journal) { self.journal = journal }

    /// Takes what is finished, unless there are some that could not be written.
    mutating func fill(upTo limit: Int) {
        if entries.isEmpty { entries = journal.collect(limit) }
        number += 1
    }

    /// They are written.
    mutating func letGo() {
        journal.letGo(entries)
        entries = []
    }
}
