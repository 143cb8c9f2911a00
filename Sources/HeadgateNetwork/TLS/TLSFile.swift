internal import Glibc

/// A file that OpenSSL could not use.
enum TLSFile {
    /// The system's words, if it is the system that refuses; OpenSSL loses them for some files.
    ///
    /// - Parameter text: what it is else.
    static func problem(with path: String, otherwise text: String) -> String {
        // A pipe must not hold up the start.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return systemErrorText(errno) }
        defer { close(descriptor) }
        var byte: UInt8 = 0
        let count = Glibc.read(descriptor, &byte, 1)
        return count < 0 ? systemErrorText(errno) : count == 0 ? "it is empty" : text
    }
}
