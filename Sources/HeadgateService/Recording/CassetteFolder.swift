import Glibc
import HeadgateCassettes
package import HeadgateGateway
import HeadgateNetwork

/// A folder of recordings.
package struct CassetteFolder {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// All recordings, by the names of their files and so in the order in which they were made.
    ///
    /// - Throws: ``Complaint`` where there are none, or one cannot be read; with the line where it is wrong.
    package func read() throws -> [CassetteFile] {
        let names = try names()
        guard !names.isEmpty else {
            throw complaint(
                "holds no recording (*\(CassetteFile.suffix))", "record something there first, or name another")
        }
        return try read(names)
    }

    /// The same; none where there are none, or no such folder.
    func readIfAny() throws -> [CassetteFile] { access(path, F_OK) == 0 ? try read(names()) : [] }

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

    private func read(_ names: [String]) throws -> [CassetteFile] {
        var rest = CassetteShelf.limit
        return try names.map { name in
            let text = try CassetteFolder.contents("\(path)/\(name)", limit: rest)
            rest -= text.count
            do throws(CassetteError) {
                return CassetteFile(name: name, cassette: try Cassette(text: text))
            } catch {
                throw Complaint("\(path)/\(name):\(error.description)", exitCode: .configuration)
            }
        }
    }

    private static func contents(_ path: String, limit: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw Complaint("cannot read \(path): \(systemErrorText(errno))", exitCode: .configuration)
        }
        defer { close(descriptor) }
        guard status.st_size <= limit else {
            throw Complaint(
                "\(path): with this file there is more than 1 GiB to replay: move some to another folder",
                exitCode: .configuration)
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + filled, $0.count - filled)
            }
            guard count > 0 else { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    // MARK: For writing

    /// Whether files could be written there, as far as that can be told without a trace.
    ///
    /// - Throws: ``Complaint``.
    func checkWritable() throws { try PrivateFolder(path, of: "record").checkWritable() }

    /// Makes it, for its owner alone, where it is missing.
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
