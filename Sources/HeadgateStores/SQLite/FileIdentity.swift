internal import Glibc

/// The file that a name leads to, whatever happens to the name.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let number: UInt64

    /// Nil if there is none.
    init?(of path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
