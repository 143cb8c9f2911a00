import HeadgateConfiguration
import HeadgateLibC
import HeadgateNetwork

/// A log file, which is rotated at a size, or reopened on a signal after it was moved.
struct LogFile: LogDestination {
    private let path: String
    private let rotation: LogRotation?
    /// Descriptor of the file; negative while the file cannot be opened.
    private var descriptor: Int32 = -1
    private var openingError: Int32 = 0
    /// Size in bytes; nil for anything but a regular file, such as a pipe.
    private var size: Int?
    /// Whether a failed write has cut the last line.
    private var isInLine = false

    /// Opens the file, or creates it with mode 0640.
    ///
    /// - Throws: ``Complaint``.
    init(_ path: String, rotation: LogRotation?) throws {
        // If the path is a link, the file that it names is rotated, not the link.
        self.path = LogFile.target(of: path)
        self.rotation = rotation
        open()
        guard descriptor >= 0 else { throw LogFile.complaint(path, openingError) }
    }

    /// Checks whether the file could be opened, without changing anything.
    ///
    /// - Throws: ``Complaint``.
    static func check(_ path: String) throws {
        guard access(path, W_OK) != 0 else {
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
            throw complaint(path, EISDIR)
        }
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard errno == ENOENT, access(folder.isEmpty ? "/" : folder, W_OK | X_OK) == 0 else {
            throw complaint(path, errno)
        }
    }

    private static func complaint(_ path: String, _ error: Int32) -> Complaint {
        Complaint(
            "log: \(path) cannot be written (\(systemErrorText(error))): name a file in 'file:' in a folder that the "
                + "gateway's user may write to",
            exitCode: .configuration)
    }

    mutating func write(_ lines: [UInt8]) throws(LogLoss) {
        if let rotation, let size, size > 0, size + lines.count > rotation.size { rotate(keeping: rotation.kept) }
        if descriptor < 0 { open() }
        guard descriptor >= 0 else { throw LogLoss(error: openingError, lines: lines.count { $0 == 0x0A }) }
        do throws(LogLoss) {
            if isInLine { try LogDescriptor.write([0x0A], to: descriptor) }
        } catch {
            throw LogLoss(error: error.error, lines: lines.count { $0 == 0x0A })
        }
        do throws(LogLoss) {
            try LogDescriptor.write(lines, to: descriptor)
            (size, isInLine) = (size.map { $0 + lines.count }, false)
        } catch {
            (size, isInLine) = (size.map { $0 + error.written }, error.isCut)
            throw error
        }
    }

    mutating func reopen() {
        if descriptor >= 0 { close(descriptor) }
        open()
    }

    private static func target(of path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private mutating func open() {
        descriptor = HeadgateLibC.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o640)
        openingError = descriptor < 0 ? errno : 0
        var status = stat()
        let isFile = descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        (size, isInLine) = (isFile ? Int(status.st_size) : nil, false)
    }

    /// Rotates the file. If that fails, the file keeps growing.
    private mutating func rotate(keeping kept: Int) {
        if kept == 0 { unlink(path) }
        for (from, to) in LogFile.moves(of: path, keeping: kept) where rename(from, to) != 0 && errno != ENOENT {
            return
        }
        reopen()
    }

    /// Returns the renames, in order, that free the file's own name. The newest rotated file is `log.1`.
    static func moves(of path: String, keeping kept: Int) -> [(from: String, to: String)] {
        guard kept > 0 else { return [] }
        return (1..<kept).reversed().map { ("\(path).\($0)", "\(path).\($0 + 1)") } + [(path, "\(path).1")]
    }
}
