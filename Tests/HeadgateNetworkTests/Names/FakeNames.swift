import HeadgateEventLoop
import HeadgateNetwork
import HeadgatePrimitives

/// A scripted lookup that records its calls.
final class FakeNames: Sendable {
    private let asked = Locked<[String]>([])
    private let answers: Locked<[String: Result<[IPAddress], NameError>]>
    private let stuck: [String: Latch]

    /// - Parameter stuck: names whose lookup ends when their latch is opened, which the test must do.
    init(_ answers: [String: [String]] = [:], stuck: [String: Latch] = [:]) {
        self.answers = Locked(answers.mapValues { .success($0.compactMap { IPAddress($0) }) })
        self.stuck = stuck
    }

    var calls: [String] { asked.withLock { $0 } }

    func set(_ name: String, _ answer: Result<[IPAddress], NameError>) { answers.withLock { $0[name] = answer } }

    func lookup(_ name: String) -> Result<[IPAddress], NameError> {
        asked.withLock { $0.append(name) }
        stuck[name]?.wait()
        return answers.withLock { $0[name] } ?? .failure(NameError("no such name"))
    }

    func resolver() -> NameResolver { NameResolver { self.lookup($0) } }
}
