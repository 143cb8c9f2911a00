import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateLibC
import HeadgatePrimitives

/// Paths at which a change of a file can be detected.
enum WatchedPath {
    /// Maximum number of symbolic links in a path, as in the kernel (path_resolution(7)).
    private static let maximumLinks = 40

    /// Returns the folders of the file itself and of each symbolic link on the way to it. A link can be replaced, as
    /// Kubernetes does to exchange all files of a folder at once. If something is missing, the folder in which it would
    /// appear is included.
    static func folders(of path: String) -> Set<String> {
        var folders: Set<String> = []
        var (pending, current, links) = (parts(FilePath.absolute(path)), "/", 0)
        while let name = pending.popLast() {
            if name == ".." { current = FilePath.folder(of: current) }
            if name == "." || name == ".." { continue }
            let next = current == "/" ? "/" + name : "\(current)/\(name)"
            var status = stat()
            guard lstat(next, &status) == 0 else {
                folders.insert(current)
                break
            }
            if status.st_mode & S_IFMT == S_IFLNK {
                folders.insert(current)
                links += 1
                guard links <= maximumLinks, let target = target(of: next) else { break }
                if target.hasPrefix("/") { current = "/" }
                pending += parts(target)
            } else if pending.isEmpty {
                folders.insert(current)
            } else {
                current = next
            }
        }
        return folders
    }

    /// Returns the names of the file: its own, and the targets of links.
    static func names(of path: String) -> Set<String> {
        var names: Set = [FilePath.name(path)]
        if let real = realpath(path, nil) {
            names.insert(FilePath.name(String(cString: real)))
            free(real)
        }
        return names
    }

    /// Returns the parts of a path, last one first.
    private static func parts(_ path: String) -> [String] { path.split(separator: "/").map(String.init).reversed() }

    private static func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}

/// State of a file that distinguishes versions without reading it.
struct FileState: Equatable {
    private var numbers: [Int] = []

    /// Reads the state of the file at a path, following links. All missing files have the same state.
    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        numbers = [
            Int(truncatingIfNeeded: status.st_dev), Int(truncatingIfNeeded: status.st_ino), Int(status.st_size),
            status.modified.tv_sec, status.modified.tv_nsec, status.changed.tv_sec, status.changed.tv_nsec,
        ]
    }
}

/// States of files by their paths before they were read, to detect later changes.
final class FileSightings: Sendable {
    private let states = Locked<[String: FileState]>([:])

    /// Records the state of a file before it is read. Of several calls, the first counts.
    func note(_ path: String) {
        let state = FileState(path)
        states.withLock { states in
            if states[path] == nil { states[path] = state }
        }
    }

    var all: [String: FileState] { states.withLock { $0 } }
}
