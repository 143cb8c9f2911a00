internal import HeadgateGateway

/// A request in the memory that a journal maps: numbers at fixed places, then texts, each after its length. Bytes in,
/// bytes out.
enum LedgerSlot {
    /// Octets.
    static let size = 1024

    private enum Place {
        static let sequence = 0
        static let startedAt = 8
        static let endedAt = 16
        static let promptTokens = 24
        static let completionTokens = 32
        static let cachedTokens = 40
        static let cost = 48
        static let status = 56
        static let attempts = 60
        static let marks = 64
        static let texts = 72
    }

    private struct Marks: OptionSet {
        let rawValue: UInt64
        static let promptTokens = Marks(rawValue: 1)
        static let completionTokens = Marks(rawValue: 2)
        static let cachedTokens = Marks(rawValue: 4)
        static let cost = Marks(rawValue: 8)
        static let stream = Marks(rawValue: 16)
        static let upstreamsCount = Marks(rawValue: 32)
        static let partialCount = Marks(rawValue: 64)
    }

    /// Octets of a text; a longer one is cut, at the end of a character.
    private static let longest = 256
    /// The length of a text that is not there.
    private static let none = UInt16.max

    /// - Parameters:
    ///   - sequence: which request of its gateway it is.
    ///   - slot: of ``size`` octets.
    static func write(_ entry: borrowing LedgerEntry, _ sequence: Int64, to slot: UnsafeMutableRawPointer) {
        var marks: Marks = entry.isStream ? .stream : []
        func store(_ number: Int?, _ mark: Marks, at place: Int) {
            guard let number else { return }
            marks.insert(mark)
            slot.storeBytes(of: Int64(number), toByteOffset: place, as: Int64.self)
        }
        slot.storeBytes(of: sequence, toByteOffset: Place.sequence, as: Int64.self)
        slot.storeBytes(of: entry.startedAt, toByteOffset: Place.startedAt, as: Int64.self)
        slot.storeBytes(of: entry.endedAt, toByteOffset: Place.endedAt, as: Int64.self)
        store(entry.promptTokens, .promptTokens, at: Place.promptTokens)
        store(entry.completionTokens, .completionTokens, at: Place.completionTokens)
        store(entry.cachedTokens, .cachedTokens, at: Place.cachedTokens)
        store(entry.cost, .cost, at: Place.cost)
        switch entry.source {
        case .upstream?: marks.insert(.upstreamsCount)
        case .partial?: marks.insert(.partialCount)
        case nil: break
        }
        slot.storeBytes(of: Int32(clamping: entry.status), toByteOffset: Place.status, as: Int32.self)
        slot.storeBytes(of: Int32(clamping: entry.attempts), toByteOffset: Place.attempts, as: Int32.self)
        slot.storeBytes(of: marks.rawValue, toByteOffset: Place.marks, as: UInt64.self)
        var texts = TextWriter(slot)
        texts.append(entry.requestID)
        texts.append(entry.operation)
        texts.append(entry.outcome)
        texts.append(entry.key)
        texts.append(entry.upstream)
        texts.append(entry.model)
        texts.append(entry.upstreamModel)
    }

    /// - Returns: nil for octets that no request was written into.
    static func read(_ slot: UnsafeRawPointer) -> (entry: LedgerEntry, sequence: Int64)? {
        let marks = Marks(rawValue: slot.loadUnaligned(fromByteOffset: Place.marks, as: UInt64.self))
        func number(_ mark: Marks, at place: Int) -> Int? {
            marks.contains(mark) ? Int(slot.loadUnaligned(fromByteOffset: place, as: Int64.self)) : nil
        }
        var entry = LedgerEntry()
        entry.startedAt = slot.loadUnaligned(fromByteOffset: Place.startedAt, as: Int64.self)
        entry.endedAt = slot.loadUnaligned(fromByteOffset: Place.endedAt, as: Int64.self)
        entry.promptTokens = number(.promptTokens, at: Place.promptTokens)
        entry.completionTokens = number(.completionTokens, at: Place.completionTokens)
        entry.cachedTokens = number(.cachedTokens, at: Place.cachedTokens)
        entry.cost = number(.cost, at: Place.cost)
        entry.source = marks.contains(.upstreamsCount) ? .upstream : marks.contains(.partialCount) ? .partial : nil
        entry.isStream = marks.contains(.stream)
        entry.status = Int(slot.loadUnaligned(fromByteOffset: Place.status, as: Int32.self))
        entry.attempts = Int(slot.loadUnaligned(fromByteOffset: Place.attempts, as: Int32.self))
        var texts = TextReader(slot)
        guard let requestID = texts.next(), let operation = texts.next(), let outcome = texts.next(),
            let key = texts.next(), let upstream = texts.next(), let model = texts.next(),
            let upstreamModel = texts.next()
        else { return nil }
        entry.requestID = requestID ?? ""
        entry.operation = operation ?? ""
        entry.outcome = outcome ?? ""
        entry.key = key
        entry.upstream = upstream
        entry.model = model ?? ""
        entry.upstreamModel = upstreamModel
        return (entry, slot.loadUnaligned(fromByteOffset: Place.sequence, as: Int64.self))
    }

    private struct TextWriter {
        private let slot: UnsafeMutableRawPointer
        private var place = Place.texts

        init(_ slot: UnsafeMutableRawPointer) { self.slot = slot }

        mutating func append(_ text: String?) {
            guard var text else {
                slot.storeBytes(of: LedgerSlot.none, toByteOffset: place, as: UInt16.self)
                place += 2
                return
            }
            let start = place + 2
            // What follows needs room for its lengths at least.
            let room = min(LedgerSlot.longest, LedgerSlot.size - start - 16)
            let count = text.withUTF8 { bytes in
                var count = min(bytes.count, max(room, 0))
                while count < bytes.count, count > 0, bytes[count] & 0xC0 == 0x80 { count -= 1 }
                if let base = bytes.baseAddress { (slot + start).copyMemory(from: base, byteCount: count) }
                return count
            }
            slot.storeBytes(of: UInt16(count), toByteOffset: place, as: UInt16.self)
            place = start + count
        }
    }

    private struct TextReader {
        private let slot: UnsafeRawPointer
        private var place = Place.texts

        init(_ slot: UnsafeRawPointer) { self.slot = slot }

        /// Nil at what is no text; the text itself is nil where there was none.
        mutating func next() -> String?? {
            guard place + 2 <= LedgerSlot.size else { return nil }
            let count = slot.loadUnaligned(fromByteOffset: place, as: UInt16.self)
            place += 2
            if count == LedgerSlot.none { return .some(nil) }
            guard place + Int(count) <= LedgerSlot.size else { return nil }
            let bytes = UnsafeRawBufferPointer(start: slot + place, count: Int(count))
            place += Int(count)
            return .some(String(decoding: bytes, as: UTF8.self))
        }
    }
}
