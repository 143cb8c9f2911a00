internal import HeadgateEventLoop
package import HeadgateGateway
internal import Synchronization

/// Kept responses and conversations in a file of SQLite.
package final class SQLiteResponseStore: ResponseStore {
    private let thread: DatabaseThread
    /// Octets of all that is kept; beyond it what would end first of what the key has that holds most makes room.
    private let largest: Int
    /// Conversations in which a turn is being made.
    let turns = Locked<Set<String>>([])
    private let lost = Atomic<Int>(0)
    private let removals: Removals
    private let isWorking = Atomic<Bool>(true)
    private let report: @Sendable (String) -> Void

    /// Opens the file, or makes it.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - report: told, once until it works again, what keeps the store from writing or reading; and at most once a
    ///     minute how much made room for others.
    /// - Throws: ``StoreError``, or `ThreadShortage`.
    package convenience init(
        file: String, largest: Int, now: @escaping @Sendable () -> Int64, report: @escaping @Sendable (String) -> Void
    ) throws {
        try self.init(SQLiteDatabase(file, schema: .responses), largest: largest, now: now, report: report)
    }

    init(
        _ database: sending SQLiteDatabase, limits: DatabaseThread.Limits = DatabaseThread.Limits(), largest: Int,
        now: @escaping @Sendable () -> Int64, report: @escaping @Sendable (String) -> Void
    ) throws {
        self.largest = largest
        self.report = report
        let (file, removals) = (database.file, Removals())
        self.removals = removals
        thread = try DatabaseThread(database, limits: limits) { (database) throws(StoreError) in
            try database.statement("DELETE FROM responses WHERE kept_until <= ?").run(.integer(now()))
            try database.statement("DELETE FROM conversations WHERE kept_until <= ?").run(.integer(now()))
            return {
                guard let count = removals.untold() else { return }
                report("\(file): \(count) made room for others before their time: raise max_size to keep more")
            }
        }
    }

    deinit { thread.end() }

    /// What can be waited for after the store itself is not used any more.
    package var ending: StoreEnd { StoreEnd(thread) }

    /// Writes what is waiting and lets go of the file. Not from a loop.
    package func close() { thread.close() }

    package var health: ResponseStoreHealth {
        ResponseStoreHealth(
            isWorking: isWorking.load(ordering: .relaxed), lost: lost.load(ordering: .relaxed),
            removed: removals.count)
    }

    package func keep(_ response: KeptResponse, until end: Int64) {
        write(octets: response.size) { (database) throws(StoreError) in
            try database.insert(response, until: end)
            return true
        }
    }

    /// - Parameter work: returns whether it could be done.
    func write(octets: Int, _ work: @escaping @Sendable (SQLiteDatabase) throws(StoreError) -> Bool) {
        thread.append(octets: octets) { [self] (database) throws(StoreError) in
            let isDone = try work(database)
            try makeRoom(in: database)
            return { [self] in
                works()
                if !isDone { lost.wrappingAdd(1, ordering: .relaxed) }
            }
        } failed: { [self] error in
            lost.wrappingAdd(1, ordering: .relaxed)
            complain(error)
        }
    }

    func makeRoom(in database: SQLiteDatabase) throws(StoreError) {
        let count = try database.makeRoom(largest)
        if count > 0 { removals.add(count) }
    }

    package func find(
        _ id: String, of owner: [UInt8]?, at now: Int64,
        completion: @escaping @Sendable (Result<KeptResponse?, ResponseStoreFailure>) -> Void
    ) {
        ask(completion) { (database) throws(StoreError) in try database.response(id, of: owner, at: now) }
    }

    package func findChain(
        endingAt id: String, of owner: [UInt8]?, at now: Int64, within limits: ResponseChain.Limits,
        completion: @escaping @Sendable (Result<ResponseChain, ResponseStoreFailure>) -> Void
    ) {
        ask(completion) { (database) throws(StoreError) in
            try database.chain(endingAt: id, of: owner, at: now, within: limits)
        }
    }

    package func remove(
        _ id: String, of owner: [UInt8]?, at now: Int64,
        completion: @escaping @Sendable (Result<Bool, ResponseStoreFailure>) -> Void
    ) {
        ask(isReading: false, completion) { (database) throws(StoreError) in
            guard try database.response(id, of: owner, at: now) != nil else { return false }
            try database.statement("DELETE FROM responses WHERE id = ?").run(.text(id))
            return true
        }
    }

    func ask<Value: Sendable>(
        octets: Int = 0, isReading: Bool = true,
        _ completion: @escaping @Sendable (Result<Value, ResponseStoreFailure>) -> Void,
        _ read: @escaping @Sendable (SQLiteDatabase) throws(StoreError) -> Value
    ) {
        thread.append(octets: octets, isReading: isReading) { (database) throws(StoreError) in
            let value = try read(database)
            return { completion(.success(value)) }
        } failed: { [self] error in
            complain(error)
            completion(.failure(ResponseStoreFailure()))
        }
    }

    private func works() { isWorking.store(true, ordering: .relaxed) }

    private func complain(_ error: StoreError) {
        guard isWorking.exchange(false, ordering: .relaxed) else { return }
        report("\(error)")
    }
}
