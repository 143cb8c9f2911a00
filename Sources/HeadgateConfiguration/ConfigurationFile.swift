import Glibc

/// Reads the bytes of a configuration file, refusing what is not a regular file or is too large to be one.
enum ConfigurationFile {
    static let maximumBytes = 1 << 20
    static let tooLarge = "the configuration is larger than 1 MiB: is this the right file?"

    static func read(path: String) throws(InvalidValue) -> [UInt8] {
        // Without O_NONBLOCK, opening a FIFO would wait for a writer before its kind can be checked.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw InvalidValue(reason(errno)) }
        defer { close(descriptor) }

        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw InvalidValue(reason(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw InvalidValue("this is not a regular file: give the path of a YAML file")
        }

        // The size may change while it is read, so the cap is on the bytes read and not on what fstat said.
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw InvalidValue(reason(errno))
            }
            if count == 0 { return text }
            text.append(contentsOf: chunk[..<count])
            guard text.count <= maximumBytes else { throw InvalidValue(tooLarge) }
        }
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT: "there is no such file: check the path"
        case EACCES, EPERM: "the file cannot be read: permission denied; check its owner and mode"
        case ENOTDIR: "the path goes through something that is not a folder: check the path"
        default: "the file cannot be read (errno \(code)): check the path and the disk"
        }
    }
}
