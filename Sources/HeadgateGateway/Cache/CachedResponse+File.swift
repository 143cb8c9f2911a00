internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// File form of a cached response: its key, a checksum of the rest, and the rest. Integers are little-endian.
extension CachedResponse {
    /// First bytes of every file, with the version of the format.
    private static let mark = Array("headgate cache 1".utf8)
    /// Bytes before the part that the checksum covers.
    private static let prefixSize = mark.count + 64
    /// Bytes at the beginning that identify the file of a key.
    package static let beginningSize = mark.count + 32

    package static func isBeginning(_ octets: some Sequence<UInt8>, ofFileFor key: CacheKey) -> Bool {
        octets.elementsEqual(mark + key.digest.bytes)
    }

    /// - Parameter key: key of the response, needed to read the file again.
    package func file(for key: CacheKey) -> [UInt8] {
        var rest: [UInt8] = []
        rest.reserveCapacity(size + 1024)
        rest.append(integer: storedAt)
        rest.append(integer: expiresAt)
        rest.append(integer: Int64(head.response.status))
        rest.append((head.isDocument ? 1 : 0) | (head.hasRequestID ? 2 : 0))
        let fields = Array(head.response.response.headerFields)
        rest.append(integer: Int64(fields.count))
        for field in fields {
            rest.append(counted: field.name.rawName.utf8)
            rest.append(counted: field.value.utf8)
        }
        rest.append(integer: Int64(chunks.count))
        for chunk in chunks {
            rest.append(integer: Int64(clamping: chunk.offset))
            rest.append(counted: chunk.bytes)
        }
        return CachedResponse.mark + key.digest.bytes + KeyDigest(of: rest).bytes + rest
    }

    /// Returns nil if the file is not a whole response of this key: damaged, truncated, of another version or of
    /// another key.
    package init?(file: [UInt8], for key: CacheKey) {
        let (mark, prefixSize) = (CachedResponse.mark, CachedResponse.prefixSize)
        guard file.count >= prefixSize, file.starts(with: mark),
            file[mark.count..<mark.count + 32].elementsEqual(key.digest.bytes),
            KeyDigest(of: file[prefixSize...]).bytes.elementsEqual(file[mark.count + 32..<prefixSize])
        else { return nil }
        var reader = FileReader(rest: file[prefixSize...])
        do throws(FileReader.Damage) {
            let (storedAt, expiresAt) = (try reader.integer(), try reader.integer())
            let status = try reader.count(upTo: 999)
            let flags = try reader.octet()
            var fields = HTTPFields()
            for _ in 0..<(try reader.count(upTo: 1024)) {
                let (name, value) = (try reader.text(), try reader.text())
                guard let name = HTTPField.Name(name) else { return nil }
                fields.append(HTTPField(name: name, value: value))
            }
            var chunks: [CoalescedResponse.Chunk] = []
            for _ in 0..<(try reader.count(upTo: file.count)) {
                let offset = UInt64(clamping: try reader.integer())
                chunks.append(CoalescedResponse.Chunk(bytes: Array(try reader.octets()), offset: offset))
            }
            // Another gateway's clock or the server can be wrong, and ages are counted from `storedAt`.
            guard reader.rest.isEmpty, storedAt >= 0, 200...599 ~= status else { return nil }
            let response = HTTPResponse(status: HTTPResponse.Status(code: status), headerFields: fields)
            let head = CachedHead(
                response: ServerResponseHead(response), hasRequestID: flags & 2 != 0, isDocument: flags & 1 != 0)
            self.init(head: head, chunks: chunks, storedAt: storedAt, expiresAt: expiresAt)
        } catch {
            return nil
        }
    }
}

private struct FileReader {
    struct Damage: Error {}

    private(set) var rest: ArraySlice<UInt8>

    mutating func octet() throws(Damage) -> UInt8 {
        guard let octet = rest.popFirst() else { throw Damage() }
        return octet
    }

    mutating func integer() throws(Damage) -> Int64 {
        let octets = try take(8)
        return Int64(bitPattern: octets.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    mutating func count(upTo most: Int) throws(Damage) -> Int {
        guard let count = Int(exactly: try integer()), 0...most ~= count else { throw Damage() }
        return count
    }

    mutating func octets() throws(Damage) -> ArraySlice<UInt8> { try take(try count(upTo: rest.count)) }

    mutating func text() throws(Damage) -> String { String(decoding: try octets(), as: UTF8.self) }

    private mutating func take(_ count: Int) throws(Damage) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw Damage() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}

extension [UInt8] {
    fileprivate mutating func append(integer: Int64) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append(counted octets: some Collection<UInt8>) {
        append(integer: Int64(octets.count))
        append(contentsOf: octets)
    }
}
