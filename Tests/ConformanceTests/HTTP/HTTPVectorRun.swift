import Foundation

/// Replays `http1.json` against a server on 127.0.0.1. Each case is sent in every way it allows, each time on a new
/// connection.
struct HTTPVectorRun: Sendable {
    /// Number of concurrent connections. Most of a run is waiting, so many more than the number of cores are
    /// worthwhile.
    private static let concurrency = 16

    private struct Job: Sendable {
        let vector: HTTPVector
        let way: HTTPVectorWay
    }

    private let judge: HTTPVectorJudge
    private let vectors: @Sendable () throws -> [HTTPVector]

    /// - Parameters:
    ///   - key: valid client key.
    ///   - body: small chat request in JSON, without streaming, to which the server responds with status 200.
    init(port: UInt16, key: String, body: String) {
        self.init(port: port, key: key, body: body, waits: HTTPVectorWaits(), vectors: HTTPVector.all)
    }

    /// Creates a run of other cases or with other waits.
    init(
        port: UInt16, key: String, body: String, waits: HTTPVectorWaits,
        vectors: @escaping @Sendable () throws -> [HTTPVector]
    ) {
        judge = HTTPVectorJudge(
            port: port, placeholders: HTTPVectorPlaceholders(port: port, key: key, body: body), waits: waits)
        self.vectors = vectors
    }

    /// Runs the cases with `filter` in their id, or as their group or rule; all cases if it is nil.
    ///
    /// Blocks no thread of the cooperative pool. An unreadable file or a filter without cases is a failure in the
    /// report.
    func run(filter: String? = nil) async -> HTTPVectorReport {
        var report = HTTPVectorReport()
        let start = ContinuousClock.now
        do {
            let chosen = try vectors().filter { vector in
                filter.map { vector.id.contains($0) || vector.group == $0 || vector.rule == $0 } ?? true
            }
            // A run without cases must not look like a run without faults.
            if chosen.isEmpty { throw WireFailure("no case matches \(filter ?? "")") }
            let jobs = chosen.flatMap { vector in vector.ways.map { Job(vector: vector, way: $0) } }
            for (job, reasons) in zip(jobs, await outcomes(of: jobs)) {
                if reasons.isEmpty {
                    report.passed += 1
                } else {
                    report.failures.append(.init(id: job.vector.id, way: job.way, reasons: reasons))
                }
            }
        } catch {
            report.failures.append(.init(id: HTTPVector.file.lastPathComponent, way: .whole, reasons: ["\(error)"]))
        }
        report.seconds = start.duration(to: .now) / .seconds(1)
        return report
    }

    /// Returns the failures of each job, in order. The threads share only the stream of results.
    private func outcomes(of jobs: [Job]) async -> [[String]] {
        var outcomes = [[String]](repeating: [], count: jobs.count)
        let (results, continuation) = AsyncStream.makeStream(of: (index: Int, reasons: [String]).self)
        for first in 0..<Self.concurrency {
            Thread.detachNewThread { [judge] in
                for index in stride(from: first, to: jobs.count, by: Self.concurrency) {
                    let reasons = judge.failures(of: jobs[index].vector, way: jobs[index].way)
                    continuation.yield((index, reasons))
                }
            }
        }
        var left = jobs.count
        for await result in results {
            outcomes[result.index] = result.reasons
            left -= 1
            if left == 0 { break }
        }
        return outcomes
    }
}
