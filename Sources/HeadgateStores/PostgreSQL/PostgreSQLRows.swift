internal import CPostgreSQL

/// Result of a statement.
final class PostgreSQLRows {
    private let result: OpaquePointer
    private let library: headgate_postgresql

    /// - Parameter result: the result, which is freed with this object.
    init(_ result: OpaquePointer, _ library: headgate_postgresql) {
        self.result = result
        self.library = library
    }

    deinit { library.clear(result) }

    var count: Int { Int(library.ntuples(result)) }

    /// Number of rows that the statement added, changed or removed.
    var changes: Int { library.cmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// Returns a text; nil for NULL.
    func optionalText(_ row: Int, _ column: Int) -> String? {
        guard library.getisnull(result, Int32(row), Int32(column)) == 0,
            let start = library.getvalue(result, Int32(row), Int32(column))
        else { return nil }
        let count = Int(library.getlength(result, Int32(row), Int32(column)))
        return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func text(_ row: Int, _ column: Int) -> String { optionalText(row, column) ?? "" }

    func optionalInteger(_ row: Int, _ column: Int) -> Int64? { optionalText(row, column).flatMap { Int64($0) } }

    /// Returns a number; 0 for NULL, and for a value that is not a number.
    func integer(_ row: Int, _ column: Int) -> Int64 { optionalInteger(row, column) ?? 0 }

    func flag(_ row: Int, _ column: Int) -> Bool { text(row, column) == "t" }
}
