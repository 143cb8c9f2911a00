package import HeadgateConfiguration
import HeadgateLibC
import HeadgateNetwork
import HeadgateStores

/// Backup of a gateway's data on this machine in one file: usage, managed keys and stored responses.
package struct Backup {
    /// Names of files in a backup, with their paths in this configuration.
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

    /// Paths of files that an older version wrote, and that this version would change at its start.
    var outdated: [String] {
        files.filter { name, path in
            let kind: StoreSnapshot.Kind = name == "usage.db" ? .ledger : name == "keys.db" ? .keys : .responses
            // Unreadable files are reported when their stores are opened.
            return (try? StoreSnapshot.isOutdated(path, kind)) == true
        }.map(\.path)
    }

    /// Writes a backup, even while gateways run.
    ///
    /// - Parameter path: the path of the backup, which must not exist.
    /// - Returns: the names of the files in it.
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
        try place(draft, at: path)
        return copies.map(\.name)
    }

    /// Restores a backup.
    ///
    /// - Parameter replaces: whether existing files are moved aside.
    /// - Returns: the paths of the restored files.
    /// - Throws: ``Complaint``, also while a gateway has one of the files open.
    package func restore(from path: String, replacing replaces: Bool) throws -> [String] {
        let targets = try targets(of: path)
        var folders: [String: TemporaryFolder] = [:]
        defer { for folder in folders.values { folder.remove() } }
        var moves: [(from: String, to: String)] = []
        for (name, target) in targets {
            let place = FilePath.folder(of: FilePath.absolute(target))
            if folders[place] == nil {
                DataFolder.make(place)
                // The folder is beside the target, so that the move cannot fail for lack of space.
                let folder = try TemporaryFolder(beside: target)
                folders[place] = folder
                _ = try BackupArchive.read(path, names: Backup.names, into: folder.path)
            }
            let draft = "\(folders[place]?.path ?? "")/\(name)"
            try check(draft, name: name, of: path)
            moves += try movesAside(of: target, replacing: replaces) + [(draft, target)]
        }
        try perform(moves)
        return targets.map(\.path)
    }

    private static let names = ["usage.db", "keys.db", "responses.db"]
    /// Suffixes of a database and of SQLite's companion files. A leftover log would change another database.
    private static let ends = ["", "-wal", "-shm", "-journal"]

    private func targets(of path: String) throws -> [(name: String, path: String)] {
        let folder = try TemporaryFolder(beside: path)
        defer { folder.remove() }
        let names = try BackupArchive.read(path, names: Backup.names, into: folder.path)
        let targets = files.filter { names.contains($0.name) }
        guard targets.count == names.count else {
            throw Complaint(
                "the backup has usage and keys, and this configuration stores them elsewhere (ledger: ...): restore "
                    + "with the configuration of the backup, then use 'headgate state copy'")
        }
        return targets
    }

    /// Returns the moves that put an existing database aside, with its companion files.
    private func movesAside(of target: String, replacing replaces: Bool) throws -> [(from: String, to: String)] {
        if access(target, F_OK) == 0 {
            try checkIsUnused(target)
            guard replaces else {
                throw Complaint("\(target) is there already: --force moves it to \(target).before")
            }
        }
        let found = Backup.ends.filter { access(target + $0, F_OK) == 0 }
        if let end = found.first(where: { access("\(target).before\($0)", F_OK) == 0 }) {
            throw Complaint("\(target).before\(end) is there already, from an earlier restore: move it away")
        }
        return found.map { (target + $0, "\(target).before\($0)") }
    }

    /// Moves all of the files, or none.
    private func perform(_ moves: [(from: String, to: String)]) throws {
        for (index, move) in moves.enumerated() where rename(move.from, move.to) != 0 {
            let reason = systemErrorText(errno)
            for done in moves[..<index].reversed() { rename(done.to, done.from) }
            throw Complaint("cannot write \(move.to): \(reason); nothing was changed")
        }
    }

    /// Moves a file to a path that must not exist.
    private func place(_ draft: String, at path: String) throws {
        let failure = FilePath.place(draft, at: path)
        if failure == 0 { return }
        let reason = failure == EEXIST ? "is there already: name another file" : systemErrorText(failure)
        throw Complaint("\(path): \(reason)")
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
        } catch {
            switch error.cause {
            // This file is moved aside, too.
            case .damaged, .foreign: break
            case .busy: throw Complaint("\(target) is in use by a gateway: stop it, then restore again")
            default: throw Complaint("\(target): \(error)")
            }
        }
    }
}

/// Folder for drafts, accessible only to its owner.
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
