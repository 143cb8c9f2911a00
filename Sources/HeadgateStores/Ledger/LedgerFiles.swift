internal import HeadgateLibC

/// Paths of a ledger's journals.
struct LedgerFiles {
    /// Prefix of the paths of all journals.
    let prefix: String

    /// - Parameter file: the path of the database.
    init(beside file: String) { prefix = file + ".live-" }

    private init() { prefix = "" }

    /// No files, for a ledger without a folder.
    static let none = LedgerFiles()

    /// Suffix of a journal's path until it is locked.
    static let draftSuffix = ".new"

    /// Returns the path of a gateway's journal.
    ///
    /// - Parameter process: the number of the gateway.
    func journal(of process: Int64) -> String { prefix + String(UInt64(bitPattern: process), radix: 16) }

    /// Whether the path is that of a journal that is being created.
    static func isDraft(_ path: String) -> Bool {
        guard path.hasSuffix(draftSuffix), let dash = path.lastIndex(of: "-") else { return false }
        let number = path[path.index(after: dash)...].dropLast(draftSuffix.count)
        return UInt64(number, radix: 16).map { String($0, radix: 16) == number } ?? false
    }

    /// Journals of all gateways that share the database and this folder.
    var journals: [String] {
        if prefix.isEmpty { return [] }
        let slash = prefix.lastIndex(of: "/")
        let folder = slash.map { String(prefix[...$0]) } ?? "./"
        let start = slash.map { prefix[prefix.index(after: $0)...] } ?? prefix[...]
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var paths: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(start) { paths.append(folder + name) }
        }
        return paths.sorted()
    }
}
