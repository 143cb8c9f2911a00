internal import CHeadgate
internal import HeadgateHTTP
internal import HeadgateLibC

/// Memo of heads that arrived twice with an accepted key. The next request with the same bytes is not parsed.
///
/// Confined to one loop. Its entries depend only on the bytes: every check of a request is still made. The bytes
/// contain client keys, so they are in memory that core dumps leave out, and are overwritten when they are dropped.
final class HeadMemo {
    static let capacity = 256
    /// Largest head that is remembered, in bytes.
    static let longest = 4096

    private struct Entry {
        let hash: UInt64
        let known: KnownHead
    }

    /// Entries by hash; empty until there is a head to remember.
    @exclusivity(unchecked) private var entries: [Entry?] = []
    /// Hashes of the latest heads, at the same places.
    @exclusivity(unchecked) private var seen: [UInt64] = []
    @exclusivity(unchecked) private var memory: UnsafeMutableRawPointer?
    /// Place of the head that was found or remembered last.
    @exclusivity(unchecked) private var latest = 0
    private let hash = KeyedHash()

    deinit { clear() }

    /// Drops every head.
    func clear() {
        guard let memory else { return }
        for place in entries.indices where entries[place] != nil { wipe(place) }
        headgate_secret_unmap(memory, HeadMemo.capacity * HeadMemo.longest)
        self.memory = nil
        entries = []
        seen = []
    }

    /// Returns the head that the input begins with, and its size; nil if it is not remembered.
    ///
    /// - Parameter place: place of the connection's last head, because clients mostly send the same head again.
    func find(_ input: UnsafeRawBufferPointer, at place: inout Int) -> (head: RequestHead, count: Int)? {
        guard !entries.isEmpty else { return nil }
        if !isSame(input, as: place) {
            guard place != latest, isSame(input, as: latest) else { return nil }
            place = latest
        }
        latest = place
        return entries[place].map { ($0.known.head(of: input), $0.known.wholeCount) }
    }

    private func wipe(_ place: Int) {
        if let memory { headgate_secret_wipe(memory + place * HeadMemo.longest, HeadMemo.longest) }
    }

    private func isSame(_ input: UnsafeRawBufferPointer, as place: Int) -> Bool {
        guard let entry = entries[place], let memory, entry.known.hasForm(input) else { return false }
        // The bytes are compared only if the keyed hash is the same, so that the time it takes reveals nothing about a
        // key.
        return entry.known.withFixedParts(of: input) { start, end in
            guard hash.value(start, end) == entry.hash else { return false }
            let bytes = UnsafeRawBufferPointer(start: memory + place * HeadMemo.longest, count: entry.known.count)
            return entry.known.withFixedParts(of: bytes) { HeadMemo.areSame($0, start) && HeadMemo.areSame($1, end) }
        }
    }

    private static func areSame(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return left.isEmpty }
        return memcmp(first, second, left.count) == 0
    }

    /// Remembers a head that arrived before. Of a new head, only the hash is stored.
    ///
    /// - Parameters:
    ///   - place: set to the place of the remembered head.
    ///   - digest: SHA-256 of the head's credential.
    func keep(_ head: RequestHead, at place: inout Int, _ digest: (UInt64, UInt64, UInt64, UInt64)) {
        guard let known = KnownHead(head, credential: nil), known.count <= HeadMemo.longest else { return }
        head.withLines { lines in
            let value = known.withFixedParts(of: lines, hash.value)
            let slot = Int(truncatingIfNeeded: value) & (HeadMemo.capacity - 1)
            if memory == nil, !prepare() { return }
            guard let memory, seen[slot] == value else {
                seen[slot] = value
                return
            }
            (place, latest) = (slot, slot)
            guard entries[slot]?.hash != value, let known = KnownHead(head, credential: CredentialDigest(digest)) else {
                return
            }
            wipe(slot)
            UnsafeMutableRawBufferPointer(start: memory + slot * HeadMemo.longest, count: known.count)
                .copyMemory(from: lines)
            entries[slot] = Entry(hash: value, known: known)
        }
    }

    private func prepare() -> Bool {
        memory = headgate_secret_map(HeadMemo.capacity * HeadMemo.longest)
        guard memory != nil else { return false }
        entries = Array(repeating: nil, count: HeadMemo.capacity)
        seen = Array(repeating: 0, count: HeadMemo.capacity)
        return true
    }
}

/// Hash that no one can predict without its key. Each instance generates its own key.
private struct KeyedHash {
    private let key = (UInt64.random(in: 1 ... .max), UInt64.random(in: 1 ... .max), UInt64.random(in: 1 ... .max))

    func value(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> UInt64 {
        mix(add(second, to: add(first, to: key.2)), UInt64(truncatingIfNeeded: first.count))
    }

    @inline(__always)
    private func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ key.0).multipliedFullWidth(by: right ^ key.1)
        return product.high ^ product.low
    }

    @inline(__always)
    private func add(_ bytes: UnsafeRawBufferPointer, to state: UInt64) -> UInt64 {
        var (state, offset) = (state, 0)
        while offset &+ 16 <= bytes.count {
            let left = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            state = mix(left ^ state, bytes.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self))
            offset &+= 16
        }
        // The last sixteen bytes again, or all bytes if there are fewer.
        var rest = (UInt64(truncatingIfNeeded: bytes.count), UInt64(0))
        if bytes.count >= 16 {
            rest.0 ^= bytes.loadUnaligned(fromByteOffset: bytes.count &- 16, as: UInt64.self)
            rest.1 = bytes.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
        } else {
            for byte in bytes { rest = (rest.0 &<< 8 ^ UInt64(byte), rest.1 &<< 8 ^ rest.0 &>> 56) }
        }
        return mix(rest.0 ^ state, rest.1)
    }
}
