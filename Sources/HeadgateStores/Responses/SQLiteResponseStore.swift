internal import HeadgateEventLoop
internal import HeadgateGateway
internal import HeadgatePrimitives
package import HeadgateRelay
internal import Synchronization

/// Responses and conversations stored in an SQLite file.
package final class SQLiteResponseStore: ResponseStore {
    private let thread: DatabaseThread
    /// Maximum bytes of everything stored. Beyond it, the key with the most bytes loses its entries that expire first.
    private let largest: Atomic<Int>
    /// Conversations with a turn in progress.
    let turns = Locked<Set<String>>([])
    private let lost = Atomic<Int>(0)
    private let removals: Tally
    private let overtaken: Tally
    private let isWorking = Atomic<Bool>(true)
    private let report: @Sendable (String) -> Void

    /// Opens the file, or creates it.
    ///
    /// - Parameters:
    ///   - largest: maximum bytes of everything stored.
    ///   - now: returns seconds since 1970.
    ///   - report: called with the reason why the store cannot write or read, once until it works again. At most once a
    ///     minute, it is called with the numbers of evicted responses and of overtaken turns.
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
        self.largest = Atomic(largest)
        self.report = report
        let (file, removals, overtaken) = (database.file, Tally(), Tally())
        self.removals = removals
        self.overtaken = overtaken
        thread = try DatabaseThread(database, limits: limits) { (database) throws(StoreError) in
            try database.statement("DELETE FROM responses WHERE kept_until <= ?").run(.integer(now()))
            try database.statement("DELETE FROM conversations WHERE kept_until <= ?").run(.integer(now()))
            return {
                if let count = removals.untold() {
                    report("\(file): \(count) made room for others before their time: raise max_size to keep more")
                }
                if let count = overtaken.untold() {
                    report("\(file): \(count) turns are lost, as their conversations were changed or deleted meanwhile")
                }
            }
        }
    }

    deinit { thread.end() }

    /// Handle to wait for the end after the store itself is released.
    package var ending: StoreEnd { StoreEnd(thread) }

    /// Finishes pending writes and closes the file. Must not be called on a loop.
    package func close() { thread.close() }

    /// Changes the limit, from the next write on.
    ///
    /// - Parameter largest: maximum bytes of everything stored.
    package func resize(to largest: Int) { self.largest.store(largest, ordering: .relaxed) }

    package var health: ResponseStoreHealth {
        ResponseStoreHealth(
            isWorking: isWorking.load(ordering: .relaxed), lost: lost.load(ordering: .relaxed),
            removed: removals.count)
    }

    package func keep(_ response: LocalResponse, until end: Int64) {
        write(octets: response.size) { (database) throws(StoreError) in
            try database.insert(response, until: end)
            return true
        }
    }

    /// Adds a write.
    ///
    /// - Parameters:
    ///   - octets: bytes of memory that the write holds.
    ///   - work: returns false if another change has overtaken this one.
    ///   - failed: called once it is certain that the data is not written.
    func write(
        octets: Int, _ work: @escaping @Sendable (SQLiteDatabase) throws(StoreError) -> Bool,
        failed: @escaping @Sendable () -> Void = {}
    ) {
        thread.append(octets: octets) { [self] (database) throws(StoreError) in
            let isDone = try work(database)
            let removed = try database.makeRoom(largest.load(ordering: .relaxed))
            return { [self] in
                written(removing: removed)
                guard !isDone else { return }
                lost.wrappingAdd(1, ordering: .relaxed)
                overtaken.add(1)
            }
        } failed: { [self] error in
            lost.wrappingAdd(1, ordering: .relaxed)
            complain(error)
            failed()
        }
    }

    package func find(
        _ id: String, of owner: [UInt8]?, at now: Int64,
        completion: @escaping @Sendable (Result<LocalResponse?, ResponseStoreFailure>) -> Void
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
        _ id: String, of owner: [UInt8]?, at now: Int64, for interest: StoreInterest,
        completion: @escaping @Sendable (Result<Bool, ResponseStoreFailure>) -> Void
    ) {
        ask(isReading: false, for: interest, completion) { (database) throws(StoreError) in
            guard try database.response(id, of: owner, at: now) != nil else { return false }
            try database.statement("DELETE FROM responses WHERE id = ?").run(.text(id))
            return true
        }
    }

    func ask<Value: Sendable>(
        octets: Int = 0, isReading: Bool = true, for interest: StoreInterest? = nil,
        _ completion: @escaping @Sendable (Result<Value, ResponseStoreFailure>) -> Void,
        _ work: @escaping @Sendable (SQLiteDatabase) throws(StoreError) -> Value
    ) {
        thread.append(octets: octets, isReading: isReading) { [self] (database) throws(StoreError) in
            // The caller was told that the request failed, and can retry.
            if let interest, interest.isOver { return { completion(.failure(ResponseStoreFailure())) } }
            let value = try work(database)
            let removed = isReading ? 0 : try database.makeRoom(largest.load(ordering: .relaxed))
            return { [self] in
                if !isReading { written(removing: removed) }
                completion(.success(value))
            }
        } failed: { [self] error in
            complain(error)
            completion(.failure(ResponseStoreFailure()))
        }
    }

    /// Records a committed write. A write that is rolled back has evicted nothing.
    private func written(removing removed: Int) {
        isWorking.store(true, ordering: .relaxed)
        if removed > 0 { removals.add(removed) }
    }

    private func complain(_ error: StoreError) {
        guard isWorking.exchange(false, ordering: .relaxed) else { return }
        report("\(error)")
    }
}

/// Count that is reported at intervals.
final class Tally: Sendable {
    private let all = Atomic<Int>(0)
    private let told = Atomic<Int>(0)

    /// Count since the start.
    var count: Int { all.load(ordering: .relaxed) }

    func add(_ count: Int) { all.wrappingAdd(count, ordering: .relaxed) }

    /// Returns the count since the previous call; nil if it is zero.
    func untold() -> Int? {
        let count = count
        let before = told.exchange(count, ordering: .relaxed)
        return count > before ? count - before : nil
    }
}
