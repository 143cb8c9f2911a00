internal import HeadgateGateway
internal import HeadgateLibC
internal import HeadgateRelay

/// Files of one folder. Used by one thread.
struct CacheFolderFiles {
    enum Reading {
        case bytes([UInt8], usedAt: Int64)
        case missing
        /// The file was not written by a gateway.
        case foreign
        case failed(Int32)
    }

    private let folder: String

    private static let suffix = ".cached"
    private static let temporarySuffix = ".new"
    /// Seconds after which an unfinished file is abandoned.
    private static let abandonedAfter: Int64 = 60

    init(folder: String) { self.folder = folder }

    private func path(_ key: CacheKey) -> String { "\(folder)/\(key.digest.hexadecimal)\(CacheFolderFiles.suffix)" }

    /// Returns the key in a file's name; nil for other files.
    private static func key(of name: String) -> CacheKey? {
        guard name.hasSuffix(suffix) else { return nil }
        return KeyDigest(hexadecimal: String(name.dropLast(suffix.count))).map(CacheKey.init)
    }

    // MARK: One file

    /// - Parameter largest: maximum bytes of one file; no gateway has written a larger one.
    func read(_ key: CacheKey, upTo largest: Int) -> Reading {
        // Opening a pipe must not block, and links must not point elsewhere.
        let descriptor = open(path(key), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            return errno == ENOENT ? .missing : errno == ELOOP ? .foreign : .failed(errno)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return .failed(errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= largest else { return .foreign }
        // Checks the start of the file first, so that no memory is allocated for a foreign file.
        var bytes: [UInt8] = []
        for size in [min(CachedResponse.beginningSize, Int(status.st_size)), Int(status.st_size)] {
            let failure = CacheFolderFiles.read(descriptor, upTo: size, into: &bytes)
            guard failure == 0 else { return .failed(failure) }
            let beginning = bytes.prefix(CachedResponse.beginningSize)
            guard CachedResponse.isBeginning(beginning, ofFileFor: key) else { return .foreign }
        }
        // The time of use is read at the next start. A file whose time cannot be written is evicted sooner.
        futimens(descriptor, nil)
        return .bytes(bytes, usedAt: Int64(status.modified.tv_sec))
    }

    /// Reads until the buffer has the given size, or the file ends.
    ///
    /// - Returns: 0, or the error number.
    private static func read(_ descriptor: Int32, upTo size: Int, into bytes: inout [UInt8]) -> Int32 {
        var filled = bytes.count
        bytes += [UInt8](repeating: 0, count: size - filled)
        while filled < size {
            let count = bytes.withUnsafeMutableBytes {
                HeadgateLibC.read(descriptor, $0.baseAddress! + filled, $0.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return errno }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(size - filled)
        return 0
    }

    /// Writes a file, which gets its name only once it is complete.
    ///
    /// - Returns: 0, or the error number.
    func write(_ bytes: [UInt8], as key: CacheKey) -> Int32 {
        let temporary = path(key) + CacheFolderFiles.temporarySuffix
        HeadgateLibC.unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno }
        var failure = CacheFolderFiles.write(bytes, to: descriptor)
        if HeadgateLibC.close(descriptor) != 0, failure == 0 { failure = errno }
        if failure == 0, rename(temporary, path(key)) != 0 { failure = errno }
        if failure != 0 { HeadgateLibC.unlink(temporary) }
        return failure
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { HeadgateLibC.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return 0
    }

    func remove(_ key: CacheKey) { HeadgateLibC.unlink(path(key)) }

    // MARK: All files

    /// Walks through the folder, a few files per call. The last call returns nil.
    struct Walk: ~Copyable {
        private let files: CacheFolderFiles
        private let stream: FolderStream?

        init(_ files: CacheFolderFiles) {
            self.files = files
            stream = opendir(files.folder)
        }

        deinit { if let stream { closedir(stream) } }

        /// - Parameter now: seconds since 1970.
        /// - Returns: the next files; nil at the end.
        func next(at now: Int64) -> [CacheFolderIndex.File]? {
            guard let stream else { return nil }
            var found: [CacheFolderIndex.File] = []
            for _ in 0..<256 {
                guard let entry = readdir(stream) else { return found.isEmpty ? nil : found }
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if let file = file(name, at: now) { found.append(file) }
            }
            return found
        }

        private func file(_ name: String, at now: Int64) -> CacheFolderIndex.File? {
            let isTemporary = name.hasSuffix(CacheFolderFiles.temporarySuffix)
            let stem = isTemporary ? String(name.dropLast(CacheFolderFiles.temporarySuffix.count)) : name
            guard let key = CacheFolderFiles.key(of: stem) else { return nil }
            var status = stat()
            guard lstat("\(files.folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            if isTemporary {
                if Int64(status.modified.tv_sec) < now - CacheFolderFiles.abandonedAfter {
                    HeadgateLibC.unlink("\(files.folder)/\(name)")
                }
                return nil
            }
            return CacheFolderIndex.File(key: key, size: Int(status.st_size), usedAt: Int64(status.modified.tv_sec))
        }
    }
}
