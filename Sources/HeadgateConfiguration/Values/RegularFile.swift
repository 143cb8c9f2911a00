import HeadgateLibC

/// Reads the configuration file and the files that it names. Anything but a regular file is rejected without waiting: a
/// FIFO without a writer would block the start, and a device has no end.
enum RegularFile {
    static let expected = "an absolute path such as /etc/headgate/cert.pem"

    /// Checks that a path is absolute, so that it does not depend on the gateway's working directory.
    static func checkPath(_ path: String, as expected: String = expected) throws(InvalidValue) -> String {
        guard path.hasPrefix("/") else { throw InvalidValue("expected \(expected)") }
        guard !path.utf8.contains(0) else { throw InvalidValue("the path holds a NUL byte: remove it") }
        return path
    }

    /// Checks that the file at a path can be read.
    static func checkReadable(_ path: String, expected: String) throws(InvalidValue) -> String {
        _ = try read(path: try checkPath(path), expected: expected, limit: 0, tooLarge: nil)
        return path
    }

    /// Reads at most `limit` bytes. A longer file is rejected with the message `tooLarge`, or cut off if that is nil.
    static func read(path: String, expected: String, limit: Int, tooLarge: String?) throws(InvalidValue) -> [UInt8] {
        // Without O_NONBLOCK, opening a FIFO would wait for a writer before its kind can be checked.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw InvalidValue(reason(errno)) }
        defer { close(descriptor) }

        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw InvalidValue(reason(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw InvalidValue("this is not a regular file: give the path of \(expected)")
        }

        // The file's size can change while it is read, so the limit applies to the bytes read and not to the size from
        // fstat.
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while tooLarge != nil || text.count < limit {
            let count = HeadgateLibC.read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw InvalidValue(reason(errno))
            }
            if count == 0 { return text }
            text.append(contentsOf: chunk[..<count])
            if let tooLarge, text.count > limit { throw InvalidValue(tooLarge) }
        }
        return Array(text.prefix(limit))
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

/// A model file in the format of llama.cpp.
enum ModelFile {
    static let expected = "an absolute path of a GGUF file such as /var/lib/models/model.gguf"

    static func check(_ path: String) throws(InvalidValue) -> String {
        let path = try RegularFile.checkPath(path, as: expected)
        let beginning = try RegularFile.read(path: path, expected: "a GGUF file", limit: 4, tooLarge: nil)
        guard beginning.elementsEqual("GGUF".utf8) else {
            throw InvalidValue("this is no GGUF file: give the path of a model in the format of llama.cpp")
        }
        return path
    }
}
