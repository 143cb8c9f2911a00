/// The path of a Unix socket.
enum SocketPath {
    static func check(_ path: Substring) throws(InvalidValue) -> String {
        guard path.hasPrefix("/"), !path.hasPrefix("//"), !path.hasSuffix("/") else {
            throw InvalidValue("the socket needs an absolute path with one slash in front: write unix:/run/llm.sock")
        }
        // sun_path has 108 bytes with its terminating NUL (unix(7)).
        guard path.utf8.count <= 107 else {
            throw InvalidValue("the path of a Unix socket has at most 107 bytes: use a shorter one")
        }
        guard !path.utf8.contains(0) else { throw InvalidValue("the path of the socket holds a NUL byte: remove it") }
        return String(path)
    }
}
