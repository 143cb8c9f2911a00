internal import Synchronization

/// Table in a journal's memory of the names that its requests have in common. Names are stored once, in groups of
/// three, and slots refer to their places.
///
/// Any loop can add names, without a lock. Names are never removed; once the table is full, slots store their texts
/// themselves.
struct LedgerNames {
    /// Bytes.
    static let size = 1 << 20
    private static let lines = 8192
    /// Maximum number of lines that are searched for one place.
    private static let reach = 32
    /// Bytes before the lines: the number of bytes used behind the lines, and ``number``.
    private static let headerSize = 64
    private static let start = headerSize + 8 * lines
    /// Bytes before the texts of one place, which hold their length.
    private static let lengthSize = 8
    /// Maximum bytes of three texts, with their lengths.
    private static let largest = 3 * (2 + LedgerTexts.longest) + 8

    /// Memory of ``size`` bytes, which are initially 0.
    let memory: UnsafeMutableRawPointer

    /// Initializes the table with a new number.
    func begin() { memory.storeBytes(of: .random(in: .min ... .max), toByteOffset: 8, as: UInt64.self) }

    /// Random number of the table, which distinguishes its places from those of other tables.
    var number: UInt64 { memory.load(fromByteOffset: 8, as: UInt64.self) }

    private func word(at offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        (memory + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }

    /// Returns the texts at a place; nil if there are none.
    func texts(at place: UInt32) -> LedgerTexts? {
        let first = Int(place) + LedgerNames.lengthSize
        guard Int(place) >= LedgerNames.start, first <= LedgerNames.size, place & 7 == 0 else { return nil }
        let count = memory.load(fromByteOffset: Int(place), as: UInt64.self)
        guard count <= UInt64(LedgerNames.size - first) else { return nil }
        return LedgerTexts(memory, from: first, to: first + Int(count))
    }

    /// Returns the place of three names, which are added if necessary; 0 if there is no room for them.
    func place(of first: String, _ second: String?, _ third: String?) -> UInt32 {
        withUnsafeTemporaryAllocation(byteCount: LedgerNames.largest + 8, alignment: 8) { scratch in
            guard let base = scratch.baseAddress else { return 0 }
            var texts = LedgerTexts.Writer(base, to: LedgerNames.largest)
            texts.append(first)
            texts.append(second)
            texts.append(third)
            // Comparison is by whole words, so the last one is padded with zeros.
            base.storeBytes(of: 0, toByteOffset: texts.place, as: UInt64.self)
            return place(of: UnsafeRawBufferPointer(start: base, count: (texts.place + 7) & ~7))
        }
    }

    private func place(of texts: UnsafeRawBufferPointer) -> UInt32 {
        let hash = LedgerNames.hash(texts)
        var own: UInt32 = 0
        for step in 0..<LedgerNames.reach {
            let number = (Int(truncatingIfNeeded: hash) &+ step) & (LedgerNames.lines - 1)
            let line = word(at: LedgerNames.headerSize + 8 * number)
            var found = line.pointee.load(ordering: .acquiring)
            if found == 0 {
                if own == 0 { own = add(texts) }
                if own == 0 { return 0 }
                let (isOwn, other) = line.pointee.compareExchange(
                    expected: 0, desired: (hash & ~0xFFFF_FFFF) | UInt64(own), ordering: .acquiringAndReleasing)
                if isOwn { return own }
                // Another loop was faster.
                found = other
            }
            let place = UInt32(truncatingIfNeeded: found)
            if found >> 32 == hash >> 32, holds(texts, at: place) { return place }
        }
        return 0
    }

    private func holds(_ texts: UnsafeRawBufferPointer, at place: UInt32) -> Bool {
        let first = Int(place) + LedgerNames.lengthSize
        guard first + texts.count <= LedgerNames.size,
            memory.load(fromByteOffset: Int(place), as: UInt64.self) == UInt64(texts.count)
        else { return false }
        var offset = 0
        while offset < texts.count {
            guard
                texts.load(fromByteOffset: offset, as: UInt64.self)
                    == memory.load(fromByteOffset: first + offset, as: UInt64.self)
            else { return false }
            offset += 8
        }
        return true
    }

    /// Adds texts behind the existing ones.
    ///
    /// - Returns: their place; 0 if there is no room.
    private func add(_ texts: UnsafeRawBufferPointer) -> UInt32 {
        let size = UInt64(LedgerNames.lengthSize + texts.count)
        let room = UInt64(LedgerNames.size - LedgerNames.start)
        let taken = word(at: 0)
        guard let first = texts.baseAddress, taken.pointee.load(ordering: .relaxed) + size <= room else { return 0 }
        let end = taken.pointee.wrappingAdd(size, ordering: .relaxed).newValue
        guard end <= room else { return 0 }
        let place = LedgerNames.start + Int(end - size)
        memory.storeBytes(of: UInt64(texts.count), toByteOffset: place, as: UInt64.self)
        (memory + place + LedgerNames.lengthSize).copyMemory(from: first, byteCount: texts.count)
        return UInt32(place)
    }

    private static func hash(_ texts: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(texts.count)
        var offset = 0
        while offset < texts.count {
            hash = (hash ^ texts.load(fromByteOffset: offset, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
            offset += 8
        }
        return hash
    }
}
