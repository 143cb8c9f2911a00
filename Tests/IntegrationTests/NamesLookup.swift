import CHeadgate
import HeadgateEventLoop
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateTesting

/// A scripted name server: its records, its queries, and names that it never resolves.
final class ScriptedNames: Sendable {
    private let answers: Locked<[String: [String]]>
    private let asked = Locked<[String]>([])
    private let mute: Set<String>
    private let muteLookups = Mailbox<String>()
    /// Unresolved lookups must still end with the test, as their threads belong to the process.
    private let end = Latch()

    init(_ answers: [String: [String]], mute: Set<String> = []) {
        self.answers = Locked(answers)
        self.mute = mute
    }

    deinit { end.open() }

    /// How often a name was asked for.
    func count(_ name: String) -> Int { asked.withLock { $0.filter { $0 == name }.count } }

    /// Waits until a lookup that will not end has begun.
    func nextMuteLookup() async throws {
        _ = try await muteLookups.next(timeout: .seconds(60), "a lookup")
    }

    /// Removes the name.
    func forget(_ name: String) { answers.withLock { $0[name] = nil } }

    func resolver(limits: NameCacheLimits = NameCacheLimits()) -> NameResolver {
        // Does not capture this object: a pending lookup would keep its own latch closed.
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

/// An address and port at which nothing answers, not even a refusal: a listener whose queue is full drops what comes.
final class BlackHole: Sendable {
    private let listener: Int32
    private let fillers: [Int32]

    /// Nil when the port is taken there.
    init?(ip: String, port: UInt16) {
        listener = headgate_tcp_listen(ip, port, 0)
        guard listener >= 0 else { return nil }
        fillers = (0..<3).map { _ in headgate_tcp_connect(ip, port) }
    }

    deinit { for descriptor in fillers + [listener] where descriptor >= 0 { HeadgateLibC.close(descriptor) } }
}
