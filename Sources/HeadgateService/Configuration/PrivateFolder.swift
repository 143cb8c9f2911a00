import HeadgateConfiguration
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives

/// Folder for files of the gateway, accessible only to its own user.
struct PrivateFolder {
    let path: String
    /// Section of the configuration that names the folder.
    private let section: String

    init(_ path: String, of section: String) {
        self.path = path
        self.section = section
    }

    /// Checks whether files could be written to the folder, as far as possible without writing.
    ///
    /// - Throws: ``Complaint``.
    func checkWritable() throws {
        var status = stat()
        let place = try nearest(&status)
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw complaint(place == path ? "is no folder" : "cannot be made: \(place) is no folder", "name another")
        }
        guard access(place, W_OK | X_OK) == 0 else {
            let what = place == path ? "cannot be written to" : "cannot be made in \(place)"
            throw complaint("\(what) (\(systemErrorText(errno)))", "change its permissions, or name another")
        }
    }

    /// Checks whether the path is, or could be created as, a folder that only this user can read or write. An existing
    /// folder can be read-only.
    ///
    /// - Throws: ``Complaint``.
    func checkPrivate() throws {
        var status = stat()
        guard try nearest(&status).isExactly(path) else { return try checkWritable() }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw complaint("is no folder", "name another") }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw complaint(
                "may be read or written by others",
                "name a folder of the gateway's user alone (chmod 700), or one that is not there yet")
        }
        guard access(path, R_OK | X_OK) == 0 else {
            throw complaint("cannot be read (\(systemErrorText(errno)))", "change its permissions, or name another")
        }
    }

    /// Returns the folder itself, or its nearest existing ancestor, in which missing folders would be created.
    private func nearest(_ status: inout stat) throws -> String {
        var place = path
        while stat(place, &status) != 0 {
            guard errno == ENOENT else { throw complaint("cannot be used (\(systemErrorText(errno)))", "name another") }
            place = PrivateFolder.parent(of: place)
        }
        return place
    }

    /// Creates the folder for its owner only, if it is missing.
    ///
    /// - Throws: ``Complaint``.
    func make() throws {
        var missing: [String] = []
        var place = path
        while access(place, F_OK) != 0 {
            missing.append(place)
            place = PrivateFolder.parent(of: place)
        }
        for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST {
            throw complaint("cannot be made (\(systemErrorText(errno)))", "name another")
        }
    }

    private static func parent(of path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private func complaint(_ problem: String, _ advice: String) -> Complaint {
        Complaint("\(section): the folder \(path) \(problem): \(advice)", exitCode: .configuration)
    }
}

/// Folder of a gateway's own files.
package enum DataFolder {
    /// Returns `$XDG_DATA_HOME/headgate`, else `~/.local/share/headgate`; nil if neither is known.
    package static func path(_ environment: [String: String]) -> String? {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return (folder("XDG_DATA_HOME") ?? folder("HOME").map { $0 + "/.local/share" }).map { $0 + "/headgate" }
    }

    /// Creates a folder and its parents, with mode 0700. Failures show when the folder is used.
    static func make(_ folder: String) {
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/" + part
            mkdir(made, 0o700)
        }
    }
}
