import Foundation
import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives
import HeadgateRelay

@testable import HeadgateStores

/// A folder for one test.
final class Scratch {
    let path = NSTemporaryDirectory() + "/headgate-stores-\(UUID().uuidString)"

    init() { mkdir(path, 0o700) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var file: String { path + "/responses.db" }

    func store(
        largest: Int = 1 << 30, mostPages: Int? = nil, limits: DatabaseThread.Limits = DatabaseThread.Limits(),
        now: Int64 = 0, reports: Lines = Lines()
    ) throws -> SQLiteResponseStore {
        try SQLiteResponseStore(
            SQLiteDatabase(file, schema: .responses, mostPages: mostPages), limits: limits, largest: largest,
            now: { now }, report: { reports.add($0) })
    }
}

/// Lines that a store has reported.
final class Lines: Sendable {
    private let lines = Locked<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

extension LocalResponse {
    static func turn(
        _ id: String, owner: UInt8 = 1, after previous: String? = nil, input: String = #"{"role":"user"}"#,
        document: String = "{}"
    ) -> LocalResponse {
        LocalResponse(
            id: id, owner: [owner], previous: previous, input: Array(input.utf8), document: Array(document.utf8))
    }
}

/// Calls of a store from tasks.
extension ResponseStore {
    func find(_ id: String, of owner: [UInt8]? = nil, at now: Int64 = 0) async throws -> LocalResponse? {
        try await withCheckedContinuation { continuation in
            find(id, of: owner, at: now) { continuation.resume(returning: $0) }
        }.get()
    }

    func chain(
        endingAt id: String, of owner: [UInt8]? = nil, at now: Int64 = 0, turns: Int = 100, octets: Int = 1 << 20
    ) async throws -> ResponseChain {
        try await withCheckedContinuation { continuation in
            findChain(
                endingAt: id, of: owner, at: now, within: ResponseChain.Limits(turns: turns, octets: octets)
            ) { continuation.resume(returning: $0) }
        }.get()
    }

    func remove(_ id: String, of owner: [UInt8]? = nil, at now: Int64 = 0) async throws -> Bool {
        try await withCheckedContinuation { continuation in
            remove(id, of: owner, at: now, for: StoreInterest()) { continuation.resume(returning: $0) }
        }.get()
    }
}
