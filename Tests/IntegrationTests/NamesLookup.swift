import CHeadgate
import HeadgateEventLoop
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateTesting

/// A scripted name server, with its records, its queries, and names that it never resolves.
final class ScriptedNames: Sendable {
    private let answers: Locked<[String: [String]]>
    private let asked = Locked<[String]>([])
    private let mute: Set<String>
    private let muteLookups = Mailbox<String>()
    /// Ends unresolved lookups with the test, because their threads belong to the process.
    private let end = Latch()

    init(_ answers: [String: [String]], mute: Set<String> = []) {
        self.answers = Locked(answers)
        self.mute = mute
    }

    deinit { end.open() }

    /// Returns the number of queries for a name.
    func count(_ name: String) -> Int { asked.withLock { $0.filter { $0 == name }.count } }

    /// Waits until a lookup that does not end has started.
    func nextMuteLookup() async throws {
        _ = try await muteLookups.next(timeout: .seconds(60), "a lookup")
    }

    /// Removes the records of a name.
    func forget(_ name: String) { answers.withLock { $0[name] = nil } }

    func resolver(limits: NameCacheLimits = NameCacheLimits()) -> NameResolver {
        // The closure does not capture this object, because a pending lookup would then keep its own latch closed.
        NameResolver(limits: limits) { [answers, asked, mute, muteLookups, end] name in
            asked.withLock { $0.append(name) }
            if mute.contains(name) {
                muteLookups.post(name)
                end.wait()
            }
            let found = answers.withLock { $0[name] }
            return found.map { .success($0.compactMap { IPAddress($0) }) } ?? .failure(NameError("no such name"))
        }
    }
}

/// An address and port that neither accept nor refuse connections: the queue of the listener is full and drops them.
final class BlackHole: Sendable {
    private let listener: Int32
    private let fillers: [Int32]

    /// Returns nil if the port is taken at that address.
    init?(ip: String, port: UInt16) {
        listener = headgate_tcp_listen(ip, port, 0)
        guard listener >= 0 else { return nil }
        fillers = (0..<3).map { _ in headgate_tcp_connect(ip, port) }
    }

    deinit { for descriptor in fillers + [listener] where descriptor >= 0 { HeadgateLibC.close(descriptor) } }
}
