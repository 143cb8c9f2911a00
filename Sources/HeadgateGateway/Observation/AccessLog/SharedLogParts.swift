internal import HeadgatePrimitives
internal import HeadgateRelay

/// Parts of a loop's latest log lines. Most of the next lines contain the same parts, and copy them.
struct SharedLogParts: Sendable {
    /// Members that describe the caller, the request, its target and its outcome.
    private struct Subject: Sendable {
        let remoteAddress: String
        let method: String
        let operation: String
        let status: Int
        let end: Outcome.End
        let keyName: String?
        let model: String?
        let upstream: String?
        let upstreamStatus: Int?
        let members: [UInt8]

        func describes(_ outcome: inout Outcome) -> Bool {
            status == outcome.status && keyName.isExactly(outcome.keyName) && model.isExactly(outcome.model)
                && end == outcome.end && operation == outcome.operation && upstream.isExactly(outcome.upstream)
                && upstreamStatus == outcome.upstreamStatus && remoteAddress == outcome.remoteAddress
                && method == outcome.method
        }
    }

    private static let capacity = 4
    /// Maximum bytes of members that are stored. Longer ones belong to unusual requests, and are not worth their
    /// memory.
    private static let longest = 1024

    private var subjects: [Subject] = []
    /// Index of the subject of the latest line.
    private var latest = 0
    /// Time of the latest line, in seconds since 1970.
    private var second: Int64 = -1
    /// The latest time, as RFC 3339 writes it.
    private var time: [UInt8] = []

    /// - Parameter now: nanoseconds since 1970.
    mutating func append(time now: Int64, to line: inout LineWriter) {
        if now / 1_000_000_000 == second {
            Timestamp.replaceMilliseconds(of: &time, by: now)
        } else {
            time.removeAll(keepingCapacity: true)
            Timestamp.append(now, to: &time)
            second = now / 1_000_000_000
        }
        time.withUnsafeBufferPointer { line.append($0) }
    }

    /// Appends the members of the outcome's subject, copied from a recent line of the same subject if there is one.
    ///
    /// - Parameter write: appends the members if no recent line has the same subject.
    @inline(__always)
    mutating func append(
        _ outcome: inout Outcome, to line: inout LineWriter, otherwise write: (inout Outcome, inout LineWriter) -> Void
    ) {
        if subjects.isEmpty || !subjects[latest].describes(&outcome) {
            guard let index = subjects.indices.first(where: { subjects[$0].describes(&outcome) }) else {
                let start = line.count
                write(&outcome, &line)
                if line.count - start <= SharedLogParts.longest { keep(outcome, line.bytes(from: start)) }
                return
            }
            latest = index
        }
        subjects[latest].members.withUnsafeBufferPointer { line.append($0) }
    }

    private mutating func keep(_ outcome: borrowing Outcome, _ members: [UInt8]) {
        let subject = Subject(
            remoteAddress: outcome.remoteAddress, method: outcome.method, operation: outcome.operation,
            status: outcome.status, end: outcome.end, keyName: outcome.keyName, model: outcome.model,
            upstream: outcome.upstream, upstreamStatus: outcome.upstreamStatus, members: members)
        if subjects.count < SharedLogParts.capacity {
            latest = subjects.count
            subjects.append(subject)
        } else {
            latest = (latest + 1) % SharedLogParts.capacity
            subjects[latest] = subject
        }
    }
}
