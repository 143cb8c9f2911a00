internal import HeadgateLibC

/// Files of a ledger beside its database, or without a local database.
struct LedgerFiles {
    /// Prefix of the paths of all journals.
    let prefix: String

    /// - Parameter file: of the database.
    init(beside file: String) { prefix = file + ".live-" }

    private init() { prefix = "" }

    /// Files of a ledger without a folder.
    static let none = LedgerFiles()

    /// Suffix of a journal's path until it is locked.
    static let draftSuffix = ".new"

    /// - Parameter process: the number of its gateway.
    func journal(of process: Int64) -> String { prefix + String(UInt64(bitPattern: process), radix: 16) }

    /// Whether a journal that is being made has that path.
    static func isDraft(_ path: String) -> Bool {
        guard path.hasSuffix(draftSuffix), let dash = path.lastIndex(of: "-") else { return false }
        let number = path[path.index(after: dash)...].dropLast(draftSuffix.count)
        return UInt64(number, radix: 16).map { String($0, radix: 16) == number } ?? false
    }

    /// The journals of all gateways that share the database, and this folder.
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
