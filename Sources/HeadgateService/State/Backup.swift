import Glibc
package import HeadgateConfiguration
import HeadgateNetwork
import HeadgateStores

/// What a gateway stores on this machine, in one file and back: usage, managed keys and stored responses.
package struct Backup {
    /// Names in a backup, and the files of this configuration.
    private let files: [(name: String, path: String)]

    /// - Throws: ``Complaint`` if there is no folder for data.
    package init(_ ledger: LedgerConfiguration.Place, _ configuration: Configuration, _ environment: [String: String])
        throws
    {
        guard let folder = DataFolder.path(environment) else {
            throw Complaint("HOME is not set, so that there is no data folder: set it")
        }
        let responses = try configuration.responses.map { try ResponseStoreFile($0, environment: environment).path }
        let usage: String? =
            switch ledger {
            case .standard: folder + "/usage.db"
            case .file(let path): path
            case .postgreSQL, .memory, .none: nil
            }
        let keys: String? = if case .postgreSQL = ledger { nil } else { folder + "/keys.db" }
        files = [
            ("usage.db", usage), ("keys.db", keys), ("responses.db", responses ?? folder + "/responses.db"),
        ].compactMap { name, path in path.map { (name, $0) } }
    }

    /// Writes a backup, also while gateways run.
    ///
    /// - Parameter path: must not exist.
    /// - Returns: the names of what is in it.
    /// - Throws: ``Complaint``.
    package func write(to path: String) throws -> [String] {
        let there = files.filter { access($0.path, F_OK) == 0 }
        guard !there.isEmpty else {
            throw Complaint("there is nothing to back up: no \(files.map(\.path).joined(separator: ", no "))")
        }
        let folder = try TemporaryFolder(beside: path)
        defer { folder.remove() }
        var copies: [(name: String, path: String)] = []
        for (name, source) in there {
            let copy = "\(folder.path)/\(name)"
            do throws(StoreError) { try StoreSnapshot.copy(source, to: copy) } catch { throw Complaint("\(error)") }
            copies.append((name, copy))
        }
        let draft = "\(folder.path)/backup.tar"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Complaint("cannot write \(draft): \(systemErrorText(errno))") }
        defer { close(descriptor) }
        try BackupArchive.write(copies, to: descriptor)
        guard fsync(descriptor) == 0 else { throw Complaint("cannot write \(draft): \(systemErrorText(errno))") }
        // A link is only made where there is nothing yet.
        guard link(draft, path) == 0 else {
            let reason = errno == EEXIST ? "is there already: name another file" : systemErrorText(errno)
            throw Complaint("\(path): \(reason)")
        }
        return copies.map(\.name)
    }

    /// Puts a backup back.
    ///
    /// - Parameter replaces: whether files that are there are moved aside.
    /// - Returns: the paths of what was restored.
    /// - Throws: ``Complaint``, also while a gateway has one of the files open.
    package func restore(from path: String, replacing replaces: Bool) throws -> [String] {
        guard let first = files.first else { throw Complaint("there is no place to restore to") }
        DataFolder.make(FilePath.folder(of: first.path))
        let folder = try TemporaryFolder(beside: first.path)
        defer { folder.remove() }
        let names = try BackupArchive.read(path, names: ["usage.db", "keys.db", "responses.db"], into: folder.path)
        let targets = files.filter { names.contains($0.name) }
        guard targets.count == names.count else {
            throw Complaint(
                "the backup has usage and keys, and this configuration stores them elsewhere (ledger: ...): restore "
                    + "with the configuration of the backup, then use 'headgate state copy'")
        }
        for (name, target) in targets {
            try check("\(folder.path)/\(name)", name: name, of: path)
            guard access(target, F_OK) == 0 else { continue }
            try checkIsUnused(target)
            guard replaces else {
                throw Complaint("\(target) is there already: --force moves it to \(target).before")
            }
        }
        for (name, target) in targets {
            if access(target, F_OK) == 0, rename(target, target + ".before") != 0 {
                throw Complaint("cannot move \(target): \(systemErrorText(errno))")
            }
            guard rename("\(folder.path)/\(name)", target) == 0 else {
                throw Complaint("cannot write \(target): \(systemErrorText(errno))")
            }
        }
        return targets.map(\.path)
    }

    private func check(_ copy: String, name: String, of path: String) throws {
        do throws(StoreError) {
            if try StoreSnapshot.isWhole(copy) { return }
        } catch {
            throw Complaint("\(path): \(name) is damaged (\(error.cause)): nothing was changed")
        }
        throw Complaint("\(path): \(name) is damaged: nothing was changed")
    }

    private func checkIsUnused(_ target: String) throws {
        do throws(StoreError) {
            try StoreSnapshot.release(target)
        } catch  where error.cause == .busy {
            throw Complaint("\(target) is in use by a gateway: stop it, then restore again")
        } catch {
            // A damaged file is moved aside, too.
        }
    }
}

/// A folder for drafts, for its owner alone.
private struct TemporaryFolder {
    let path: String

    /// - Throws: ``Complaint``.
    init(beside file: String) throws {
        let folder = FilePath.folder(of: FilePath.absolute(file))
        var template = Array("\(folder)/.headgate-backup.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Complaint("cannot make a folder in \(folder): \(systemErrorText(errno))")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func remove() {
        for name in ["usage.db", "keys.db", "responses.db"] {
            for end in ["", "-wal", "-shm", "-journal"] { unlink("\(path)/\(name)\(end)") }
        }
        unlink(path + "/backup.tar")
        rmdir(path)
    }
}
