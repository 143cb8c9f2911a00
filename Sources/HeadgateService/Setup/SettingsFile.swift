import HeadgateLibC
import HeadgateNetwork

/// Settings file of another program, which is read and replaced as a whole, with a backup of its earlier state.
package struct SettingsFile {
    /// Path as the program knows it.
    package let path: String
    /// Path of the file itself, without symbolic links.
    package let target: String
    /// Text of the file; nil if there is none.
    package let text: String?
    /// Permissions of the file; nil for a new file, whose permissions are chosen when it is written.
    private let mode: UInt32?

    /// Maximum bytes of a file. Settings that a person wrote are shorter.
    private static let longest = 4 << 20

    /// - Throws: ``Complaint`` for anything but a regular text file that belongs to this user.
    package init(_ path: String) throws {
        self.path = path
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw SettingsFile.complaint(path, systemErrorText(errno)) }
            (target, text, mode) = (path, nil, nil)
            return
        }
        guard let resolved = realpath(path, nil) else {
            throw SettingsFile.complaint(path, "it is a link that leads nowhere (\(systemErrorText(errno)))")
        }
        defer { free(resolved) }
        target = String(cString: resolved)
        guard stat(target, &status) == 0 else { throw SettingsFile.complaint(path, systemErrorText(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SettingsFile.complaint(path, "it is not a file") }
        guard status.st_uid == geteuid() else {
            throw SettingsFile.complaint(path, "it belongs to user \(status.st_uid)")
        }
        guard status.st_size <= SettingsFile.longest else { throw SettingsFile.complaint(path, "it is over 4 MiB") }
        text = try SettingsFile.read(target, as: path)
        mode = UInt32(status.st_mode & 0o7777)
    }

    package var isLink: Bool { target != path }
    /// Whether other users can read it.
    package var isReadByOthers: Bool { (mode ?? 0) & 0o077 != 0 }
    package var backupPath: String { target + ".headgate-backup" }

    /// Returns the file's text before the first change; nil without a backup.
    package func backup() throws -> String? {
        access(backupPath, F_OK) == 0 ? try SettingsFile.read(backupPath, as: backupPath) : nil
    }

    /// Replaces the text. A file without a backup is backed up first.
    ///
    /// - Parameters:
    ///   - isSecret: whether a new file is readable only for its owner.
    ///   - renewsBackup: whether a backup of the current text replaces an older one, which becomes `.old`.
    /// - Throws: ``Complaint``.
    package func write(_ new: String, isSecret: Bool, renewsBackup: Bool = false) throws {
        if let text, let mode {
            let isNew = try backup() == nil
            if !isNew, renewsBackup, rename(backupPath, backupPath + ".old") != 0 {
                throw SettingsFile.complaint(path, systemErrorText(errno))
            }
            if isNew || renewsBackup { try NewFile.write(text, to: backupPath, replacing: false, mode: mode) }
        }
        try NewFile.write(new, to: target, replacing: true, mode: mode ?? (isSecret ? 0o600 : 0o644))
    }

    /// Restores the former text, and removes the backup.
    ///
    /// - Parameter former: the former text; nil to remove the file.
    /// - Throws: ``Complaint``.
    package func restore(_ former: String?) throws {
        if let former {
            try NewFile.write(former, to: target, replacing: true, mode: mode ?? 0o600)
        } else if unlink(target) != 0 {
            throw SettingsFile.complaint(path, systemErrorText(errno))
        }
        unlink(backupPath)
    }

    private static func read(_ file: String, as path: String) throws -> String {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw complaint(path, systemErrorText(errno)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= longest {
            let count = HeadgateLibC.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw complaint(path, systemErrorText(errno)) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw complaint(path, "it is not text in UTF-8")
        }
        return text
    }

    private static func complaint(_ path: String, _ reason: String) -> Complaint {
        Complaint("\(path) was not changed: \(reason)")
    }
}
