internal import CSQLite

/// Prepared statement. After its last row it is reset and can be used again.
final class SQLiteStatement {
    private unowned let database: SQLiteDatabase
    private let library: headgate_sqlite
    private let prepared: OpaquePointer

    init(_ text: String, of database: SQLiteDatabase) throws(StoreError) {
        self.database = database
        guard let library = SQLiteLibrary.functions else { throw StoreError(.noLibrary, database.file) }
        self.library = library
        prepared = try database.prepare(text)
    }

    deinit { _ = library.finalize(prepared) }

    enum Value {
        case integer(Int64)
        case octets([UInt8])
        case text(String)
        case null
    }

    /// Runs the statement to its end.
    func run(_ values: Value...) throws(StoreError) {
        try bind(values)
        while try step() {}
    }

    /// - Parameter read: called for each row with this statement, which gives access to the columns.
    func rows(_ values: Value..., read: (SQLiteStatement) throws(StoreError) -> Void) throws(StoreError) {
        try bind(values)
        defer { rest() }
        while try step() { try read(self) }
    }

    private func bind(_ values: [Value]) throws(StoreError) {
        rest()
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            // SQLite copies the value.
            let code =
                switch value {
                case .integer(let number): library.bind_int64(prepared, place, number)
                case .octets(let octets):
                    octets.withUnsafeBytes {
                        library.bind_blob64(
                            prepared, place, $0.baseAddress ?? UnsafeRawPointer(prepared), UInt64($0.count), copied)
                    }
                case .text(let text):
                    text.withCString {
                        library.bind_text64(prepared, place, $0, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
                    }
                case .null: library.bind_null(prepared, place)
                }
            guard code == SQLITE_OK else { throw database.error(code) }
        }
    }

    /// - Returns: whether there is a row; if not, the statement is reset.
    func step() throws(StoreError) -> Bool {
        switch library.step(prepared) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            rest()
            return false
        case let code:
            rest()
            throw database.error(code)
        }
    }

    /// Resets the statement and clears its values.
    func rest() {
        _ = library.reset(prepared)
        _ = library.clear_bindings(prepared)
    }

    // MARK: Values one by one, from 1, which remain until they are replaced

    func bind(_ place: Int32, _ number: Int64?) throws(StoreError) {
        try check(number.map { library.bind_int64(prepared, place, $0) } ?? library.bind_null(prepared, place))
    }

    /// - Parameter text: must remain valid until another value replaces it, or until ``rest()``.
    func bind(_ place: Int32, _ text: UnsafeRawBufferPointer) throws(StoreError) {
        let start = (text.baseAddress ?? UnsafeRawPointer(prepared)).assumingMemoryBound(to: CChar.self)
        try check(library.bind_text64(prepared, place, start, UInt64(text.count), nil, UInt8(SQLITE_UTF8)))
    }

    func bind(_ place: Int32, _ text: String) throws(StoreError) {
        try check(
            text.withCString {
                library.bind_text64(prepared, place, $0, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
            })
    }

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw database.error(code) }
    }

    /// Runs the statement to its end with the bound values.
    func runBound() throws(StoreError) {
        let code = library.step(prepared)
        _ = library.reset(prepared)
        guard code == SQLITE_DONE else { throw database.error(code) }
    }

    // MARK: Columns of the row, from 0

    func integer(_ column: Int) -> Int64 { library.column_int64(prepared, Int32(column)) }

    func isNull(_ column: Int) -> Bool { library.column_type(prepared, Int32(column)) == SQLITE_NULL }

    func octets(_ column: Int) -> [UInt8] {
        guard let start = library.column_blob(prepared, Int32(column)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(library.column_bytes(prepared, Int32(column)))))
    }

    func text(_ column: Int) -> String { String(decoding: octets(column), as: UTF8.self) }
}

/// `SQLITE_TRANSIENT`, a macro that Swift does not import.
private let copied = unsafeBitCast(-1, to: (@convention(c) (UnsafeMutableRawPointer?) -> Void).self)
