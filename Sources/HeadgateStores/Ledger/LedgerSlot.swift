internal import HeadgateRelay

/// A request in the memory that a journal maps: numbers at fixed places, then texts, each after its length. Who asks
/// for what is written once, when it begins; what has become of it stands behind that.
struct LedgerSlot {
    /// Octets.
    static let size = 1024

    enum Place {
        static let sequence = 0
        static let batch = 8
        static let startedAt = 16
        static let endedAt = 24
        static let promptTokens = 32
        static let completionTokens = 40
        static let cachedTokens = 48
        static let cost = 56
        /// Which of the four before are there.
        static let counts = 64
        /// Where the texts of the result begin.
        static let result = 66
        // What many requests have in common: these eight octets, and all texts but the first.
        static let status = 72
        static let attempts = 76
        static let marks = 78
        static let texts = 80
        /// The latest one for ``result``.
        static let latestResult = 640
    }

    struct Counts: OptionSet {
        let rawValue: UInt8
        static let promptTokens = Counts(rawValue: 1)
        static let completionTokens = Counts(rawValue: 2)
        static let cachedTokens = Counts(rawValue: 4)
        static let cost = Counts(rawValue: 8)
    }

    struct Marks: OptionSet {
        let rawValue: UInt8
        static let stream = Marks(rawValue: 1)
        static let upstreamsCount = Marks(rawValue: 2)
        static let partialCount = Marks(rawValue: 4)
        /// It has gone to its model.
        static let model = Marks(rawValue: 8)
        /// What has become of it is there.
        static let result = Marks(rawValue: 16)
        static let estimate = Marks(rawValue: 32)

        /// Where the tokens are from.
        var source: LedgerEntry.Source? {
            if contains(.upstreamsCount) { return .upstream }
            if contains(.partialCount) { return .partial }
            return contains(.estimate) ? .estimated : nil
        }
    }

    /// Octets of a text; a longer one is cut, at the end of a character.
    private static let longest = 256
    /// The length of a text that is not there.
    static let none = UInt16.max

    /// Of ``size`` octets.
    let memory: UnsafeMutableRawPointer

    /// Writes who requests what, and the use to charge if the request never ends.
    ///
    /// - Parameter sequence: which request of its gateway it is.
    func begin(_ entry: borrowing LedgerEntry, _ sequence: Int64) {
        store(sequence, at: Place.sequence)
        store(0, at: Place.batch)
        store(entry.startedAt, at: Place.startedAt)
        store(entry.endedAt, at: Place.endedAt)
        memory.storeBytes(of: 0, toByteOffset: Place.status, as: UInt64.self)
        let marks = storeCounts(entry).union(entry.isStream ? .stream : [])
        if !marks.isEmpty { memory.storeBytes(of: marks.rawValue, toByteOffset: Place.marks, as: UInt8.self) }
        var texts = TextWriter(memory, from: Place.texts, to: Place.latestResult)
        texts.append(entry.requestID)
        texts.append(entry.operation)
        texts.append(entry.key)
        texts.append(entry.model)
        memory.storeBytes(of: UInt16(texts.place), toByteOffset: Place.result, as: UInt16.self)
    }

    /// Writes what has become of it.
    ///
    /// - Parameter entry: of the same request; its model is that of the beginning or empty.
    func end(_ entry: borrowing LedgerEntry) {
        store(entry.startedAt, at: Place.startedAt)
        store(entry.endedAt, at: Place.endedAt)
        var marks = storeCounts(entry).union(entry.isStream ? [.result, .stream] : .result)
        memory.storeBytes(of: Int32(clamping: entry.status), toByteOffset: Place.status, as: Int32.self)
        memory.storeBytes(of: UInt16(clamping: entry.attempts), toByteOffset: Place.attempts, as: UInt16.self)
        if !entry.model.isEmpty { marks.insert(.model) }
        memory.storeBytes(of: marks.rawValue, toByteOffset: Place.marks, as: UInt8.self)
        let start = Int(memory.loadUnaligned(fromByteOffset: Place.result, as: UInt16.self))
        var texts = TextWriter(memory, from: min(max(start, Place.texts), Place.latestResult), to: LedgerSlot.size)
        texts.append(entry.outcome)
        texts.append(entry.upstream)
        texts.append(entry.upstreamModel)
    }

    /// - Returns: the mark of their source.
    private func storeCounts(_ entry: borrowing LedgerEntry) -> Marks {
        var counts: Counts = []
        func store(_ number: Int?, _ count: Counts, at place: Int) {
            guard let number else { return }
            counts.insert(count)
            self.store(Int64(number), at: place)
        }
        store(entry.promptTokens, .promptTokens, at: Place.promptTokens)
        store(entry.completionTokens, .completionTokens, at: Place.completionTokens)
        store(entry.cachedTokens, .cachedTokens, at: Place.cachedTokens)
        store(entry.cost, .cost, at: Place.cost)
        memory.storeBytes(of: counts.rawValue, toByteOffset: Place.counts, as: UInt8.self)
        switch entry.source {
        case .upstream?: return .upstreamsCount
        case .partial?: return .partialCount
        case .estimated?: return .estimate
        case nil: return []
        }
    }

    func setBatch(_ batch: Int64) { store(batch, at: Place.batch) }

    /// - Parameter time: milliseconds since 1970.
    func setEnd(_ time: Int64) { store(time, at: Place.endedAt) }

    private func store(_ number: Int64, at place: Int) {
        memory.storeBytes(of: number, toByteOffset: place, as: Int64.self)
    }

    private struct TextWriter {
        private let memory: UnsafeMutableRawPointer
        private(set) var place: Int
        private let end: Int

        init(_ memory: UnsafeMutableRawPointer, from start: Int, to end: Int) {
            self.memory = memory
            place = start
            self.end = end
        }

        mutating func append(_ text: String?) {
            guard let text else {
                memory.storeBytes(of: LedgerSlot.none, toByteOffset: place, as: UInt16.self)
                place += 2
                return
            }
            // All texts of the program and of requests are stored in one piece.
            if text.utf8.withContiguousStorageIfAvailable({ write($0) }) == nil {
                Array(text.utf8).withUnsafeBufferPointer { write($0) }
            }
        }

        private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
            let start = place + 2
            // What follows needs room for its lengths at least.
            let room = min(LedgerSlot.longest, end - start - 8)
            var count = bytes.count
            if count > room {
                count = max(room, 0)
                while count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 }
            }
            if let base = bytes.baseAddress { (memory + start).copyMemory(from: base, byteCount: count) }
            memory.storeBytes(of: UInt16(count), toByteOffset: place, as: UInt16.self)
            place = start + count
        }
    }
}
