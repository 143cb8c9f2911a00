import HeadgateCassettes
package import HeadgateGateway
import HeadgateLibC
import HeadgateNetwork
internal import HeadgateRelay

/// A folder of recordings.
package struct CassetteFolder {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// Reads all recordings in the order of their file names, which is the order of their creation.
    ///
    /// - Parameter skipped: called for each file that cannot be read, with the line of the error.
    /// - Throws: ``Complaint`` if there are none, none can be read, or they take too much memory.
    package func read(skipped: (Complaint) -> Void = { _ in }) throws -> [CassetteFile] {
        let names = try names()
        guard !names.isEmpty else {
            throw complaint(
                "holds no recording (*\(CassetteFile.suffix))", "record something there first, or name another")
        }
        var first: Complaint?
        let files = try read(names) { complaint in
            first = first ?? complaint
            skipped(complaint)
        }
        if files.isEmpty, let first { throw first }
        return files
    }

    /// Reads all recordings; none if the folder is missing, or has no readable ones.
    func readIfAny(skipped: (Complaint) -> Void = { _ in }) throws -> [CassetteFile] {
        access(path, F_OK) == 0 ? try read(names(), skipped: skipped) : []
    }

    private func names() throws -> [String] {
        guard let folder = opendir(path) else {
            throw complaint(
                "cannot be read (\(systemErrorText(errno)))", "record something there first, or name another")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(CassetteFile.suffix), !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func read(_ names: [String], skipped: (Complaint) -> Void) throws -> [CassetteFile] {
        var rest = CassetteShelf.limit
        return try names.compactMap { name in
            let text: [UInt8]
            switch try CassetteFolder.contents("\(path)/\(name)", limit: rest) {
            case .success(let contents): text = contents
            case .failure(let complaint):
                skipped(complaint)
                return nil
            }
            rest -= text.count
            do throws(CassetteError) {
                return CassetteFile(name: name, cassette: try Cassette(text: text))
            } catch {
                skipped(Complaint("\(path)/\(name):\(error.description)", exitCode: .configuration))
                return nil
            }
        }
    }

    /// Reads a file.
    ///
    /// - Throws: ``Complaint`` if all files together are too large.
    private static func contents(_ path: String, limit: Int) throws -> Result<[UInt8], Complaint> {
        // Opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            return .failure(Complaint("cannot read \(path): \(systemErrorText(errno))", exitCode: .configuration))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .failure(Complaint("cannot read \(path): it is not a regular file", exitCode: .configuration))
        }
        guard status.st_size <= limit else {
            throw Complaint(
                "\(path): with this file there is more than 1 GiB to replay: move some to another folder",
                exitCode: .configuration)
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                HeadgateLibC.read(descriptor, $0.baseAddress! + filled, $0.count - filled)
            }
            guard count > 0 else { break }
            filled += count
        }
        return .success(Array(bytes[..<filled]))
    }

    // MARK: For writing

    /// Checks whether files could be written to the folder, as far as possible without writing.
    ///
    /// - Throws: ``Complaint``.
    func checkWritable() throws { try PrivateFolder(path, of: "record").checkWritable() }

    /// Creates the folder for its owner only, if it is missing.
    ///
    /// - Throws: ``Complaint``.
    func make() throws {
        try checkWritable()
        try PrivateFolder(path, of: "record").make()
    }

    private func complaint(_ problem: String, _ advice: String) -> Complaint {
        Complaint("record: the folder \(path) \(problem): \(advice)", exitCode: .configuration)
    }
}
