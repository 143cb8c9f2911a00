internal import HeadgateRelay

/// Request in the memory that a journal maps. A slot has numbers at fixed places, the request's id, and the places of
/// names in ``LedgerNames``. Texts that do not fit are in separate memory beside the slot, which is otherwise not
/// touched.
///
/// The operation, key and model are written when the request begins. The outcome, upstream and upstream model follow
/// when it ends.
struct LedgerSlot {
    /// Bytes.
    static let size = 128
    /// Bytes beside the slot for texts that do not fit.
    static let textsSize = 944

    enum Place {
        static let sequence = 0
        static let batch = 8
        static let startedAt = 16
        static let endedAt = 24
        static let promptTokens = 32
        static let completionTokens = 40
        static let cachedTokens = 48
        static let cost = 56
        /// Flags for the presence of the four preceding counts.
        static let counts = 64
        /// Offset of the result's texts beside the slot, if they do not fit into the names.
        static let result = 66
        /// Place of the names of operation, key and model; 0 if they are beside the slot.
        static let begun = 68
        // These seven bytes, like the names, are common to many requests.
        static let status = 72
        static let attempts = 76
        static let marks = 78
        /// Bytes of the id; ``elsewhere`` if it is beside the slot.
        static let idLength = 79
        /// Place of the names of outcome, upstream and upstream model; 0 if they are beside the slot.
        static let ended = 80
        static let id = 84
        /// Maximum of ``result``.
        static let latestResult = 560
    }

    /// Length of an id that does not fit into the slot.
    static let elsewhere = UInt8.max

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
        /// The request was sent to its model.
        static let model = Marks(rawValue: 8)
        /// The result is present.
        static let result = Marks(rawValue: 16)
        static let estimate = Marks(rawValue: 32)

        /// Source of the token counts.
        var source: LedgerEntry.Source? {
            if contains(.upstreamsCount) { return .upstream }
            if contains(.partialCount) { return .partial }
            return contains(.estimate) ? .estimated : nil
        }
    }

    /// Memory of ``size`` bytes.
    let memory: UnsafeMutableRawPointer
    /// Memory of ``textsSize`` bytes.
    let texts: UnsafeMutableRawPointer
    /// Names of the journal; nil if all texts are beside the slot.
    let names: LedgerNames?

    /// Writes the properties of a new request, and the usage to charge if the request never ends.
    ///
    /// - Parameter sequence: the number of the request within its gateway.
    func begin(_ entry: borrowing LedgerEntry, _ sequence: Int64) {
        store(sequence, at: Place.sequence)
        store(0, at: Place.batch)
        store(entry.startedAt, at: Place.startedAt)
        store(entry.endedAt, at: Place.endedAt)
        memory.storeBytes(of: 0, toByteOffset: Place.status, as: UInt64.self)
        let marks = storeCounts(entry).union(entry.isStream ? .stream : [])
        memory.storeBytes(of: marks.rawValue, toByteOffset: Place.marks, as: UInt8.self)
        var texts = LedgerTexts.Writer(texts, to: Place.latestResult)
        let length = storeID(entry.requestID)
        memory.storeBytes(of: length ?? LedgerSlot.elsewhere, toByteOffset: Place.idLength, as: UInt8.self)
        if length == nil { texts.append(entry.requestID) }
        let place = names?.place(of: entry.operation, entry.key, entry.model) ?? 0
        memory.storeBytes(of: place, toByteOffset: Place.begun, as: UInt32.self)
        if place == 0 {
            texts.append(entry.operation)
            texts.append(entry.key)
            texts.append(entry.model)
        }
        memory.storeBytes(of: UInt16(texts.place), toByteOffset: Place.result, as: UInt16.self)
    }

    /// - Returns: the length of the id; nil if it does not fit.
    private func storeID(_ id: String) -> UInt8? {
        guard names != nil else { return nil }
        return id.utf8.withContiguousStorageIfAvailable { bytes -> UInt8? in
            guard bytes.count <= LedgerSlot.size - Place.id else { return nil }
            if let first = bytes.baseAddress { (memory + Place.id).copyMemory(from: first, byteCount: bytes.count) }
            return UInt8(bytes.count)
        } ?? nil
    }

    /// Writes the result.
    ///
    /// - Parameter entry: the same request; its model is the initial one or empty.
    func end(_ entry: borrowing LedgerEntry) {
        store(entry.startedAt, at: Place.startedAt)
        store(entry.endedAt, at: Place.endedAt)
        var marks = storeCounts(entry).union(entry.isStream ? [.result, .stream] : .result)
        memory.storeBytes(of: Int32(clamping: entry.status), toByteOffset: Place.status, as: Int32.self)
        memory.storeBytes(of: UInt16(clamping: entry.attempts), toByteOffset: Place.attempts, as: UInt16.self)
        if !entry.model.isEmpty { marks.insert(.model) }
        memory.storeBytes(of: marks.rawValue, toByteOffset: Place.marks, as: UInt8.self)
        let place = names?.place(of: entry.outcome, entry.upstream, entry.upstreamModel) ?? 0
        memory.storeBytes(of: place, toByteOffset: Place.ended, as: UInt32.self)
        guard place == 0 else { return }
        let start = Int(memory.loadUnaligned(fromByteOffset: Place.result, as: UInt16.self))
        var texts = LedgerTexts.Writer(texts, from: min(start, Place.latestResult), to: LedgerSlot.textsSize)
        texts.append(entry.outcome)
        texts.append(entry.upstream)
        texts.append(entry.upstreamModel)
    }

    /// Writes the counts.
    ///
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
}
