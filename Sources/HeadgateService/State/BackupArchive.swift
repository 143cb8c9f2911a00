import HeadgateLibC
import HeadgateNetwork

/// Tar archive (POSIX ustar) of a few regular files, accessible only to their owner.
enum BackupArchive {
    private static let block = 512
    private static let magic = Array("ustar\u{0}00".utf8)

    /// Writes the files in their order.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor of the empty archive.
    ///   - files: names in the archive, and paths.
    /// - Throws: ``Complaint``.
    static func write(_ files: [(name: String, path: String)], to descriptor: Int32) throws {
        for (name, path) in files {
            let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard file >= 0 else { throw complaint("cannot read \(path)", errno) }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0 else { throw complaint("cannot read \(path)", errno) }
            let size = Int(status.st_size)
            // The size must fit into eleven octal digits.
            guard size < 1 << 33 else { throw Complaint("\(path) is larger than 8 GiB: copy it by hand") }
            try put(header(name, size: size, time: status.modified.tv_sec), to: descriptor)
            try copy(size, from: file, to: descriptor, padding: (block - size % block) % block)
        }
        try put([UInt8](repeating: 0, count: 2 * block), to: descriptor)
    }

    /// Writes the archive's files into a folder.
    ///
    /// - Parameter names: the names that the archive can contain; any other one is refused.
    /// - Returns: the names that it contains.
    /// - Throws: ``Complaint`` for an archive that is incomplete or not a backup.
    static func read(_ path: String, names: [String], into folder: String) throws -> [String] {
        let archive = open(path, O_RDONLY | O_CLOEXEC)
        guard archive >= 0 else { throw complaint("cannot read \(path)", errno) }
        defer { close(archive) }
        var found: [String] = []
        while true {
            let header = try take(block, from: archive, of: path)
            if header.allSatisfy({ $0 == 0 }) { break }
            guard let entry = entry(header), names.contains(entry.name), !found.contains(entry.name) else {
                throw Complaint("\(path) is not a backup of 'headgate backup', or it is damaged")
            }
            let target = "\(folder)/\(entry.name)"
            let file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw complaint("cannot write \(target)", errno) }
            defer { close(file) }
            var left = entry.size
            while left > 0 {
                let chunk = try take(min(left, 1 << 20), from: archive, of: path)
                try put(chunk, to: file)
                left -= chunk.count
            }
            _ = try take((block - entry.size % block) % block, from: archive, of: path)
            guard fsync(file) == 0 else { throw complaint("cannot write \(target)", errno) }
            found.append(entry.name)
        }
        guard try take(block, from: archive, of: path).allSatisfy({ $0 == 0 }), !found.isEmpty else {
            throw Complaint("\(path) is not a backup of 'headgate backup', or it is damaged")
        }
        return found
    }

    // MARK: Headers

    static func header(_ name: String, size: Int, time: Int) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: block)
        func set(_ text: String, at place: Int) {
            for (index, byte) in text.utf8.enumerated() { header[place + index] = byte }
        }
        func octal(_ number: Int, digits: Int) -> String {
            let text = String(max(0, number), radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        set(name, at: 0)
        set(octal(0o600, digits: 7), at: 100)
        set(octal(0, digits: 7), at: 108)
        set(octal(0, digits: 7), at: 116)
        set(octal(size, digits: 11), at: 124)
        set(octal(time, digits: 11), at: 136)
        set("0", at: 156)
        for (index, byte) in magic.enumerated() { header[257 + index] = byte }
        set(octal(checksum(header), digits: 6) + "\u{0} ", at: 148)
        return header
    }

    /// Reads a header; nil if it is not that of a regular file.
    static func entry(_ header: [UInt8]) -> (name: String, size: Int)? {
        func number(_ range: Range<Int>) -> Int? {
            Int(String(decoding: header[range].prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self), radix: 8)
        }
        guard header.count == block, header[257..<265].elementsEqual(magic), header[156] == 0x30,
            number(148..<156) == checksum(header), let size = number(124..<136), size >= 0
        else { return nil }
        return (String(decoding: header[..<100].prefix { $0 != 0 }, as: UTF8.self), size)
    }

    /// Returns the checksum of all bytes, with spaces instead of the checksum.
    private static func checksum(_ header: [UInt8]) -> Int {
        header.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 0x20 : Int($1.element)) }
    }

    // MARK: Bytes

    private static func copy(_ size: Int, from file: Int32, to archive: Int32, padding: Int) throws {
        var left = size
        while left > 0 {
            let chunk = try take(min(left, 1 << 20), from: file, of: "the copy")
            try put(chunk, to: archive)
            left -= chunk.count
        }
        try put([UInt8](repeating: 0, count: padding), to: archive)
    }

    /// Reads exactly the given number of bytes.
    private static func take(_ count: Int, from descriptor: Int32, of path: String) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var got = 0
        while got < count {
            let length = bytes[got...].withUnsafeMutableBytes {
                HeadgateLibC.read(descriptor, $0.baseAddress, $0.count)
            }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { throw complaint("cannot read \(path)", errno) }
            guard length > 0 else { throw Complaint("\(path) ends too early: it is damaged") }
            got += length
        }
        return bytes
    }

    private static func put(_ bytes: [UInt8], to descriptor: Int32) throws {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { HeadgateLibC.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw complaint("cannot write", errno) }
            written += count
        }
    }

    private static func complaint(_ what: String, _ error: Int32) -> Complaint {
        Complaint("\(what): \(systemErrorText(error))")
    }
}
