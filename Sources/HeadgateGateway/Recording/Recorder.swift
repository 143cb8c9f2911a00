package import HeadgateCassettes
package import HeadgateConfiguration
package import HeadgateRelay
internal import Synchronization

/// Recorder that hands completed exchanges to the sink that writes them.
package final class Recorder: Sendable {
    private let sink: any CassetteSink
    private let maker: CassetteMaker
    private let memory = RecordingMemory()

    /// - Parameters:
    ///   - definitions: upstreams, whose secrets are not written.
    ///   - secrets: further secrets that are not written.
    package init(
        _ configuration: RecordConfiguration, definitions: [UpstreamDefinition], secrets: [Secret] = [],
        sink: any CassetteSink
    ) {
        self.sink = sink
        maker = CassetteMaker(
            mask: RecordingMask(definitions, secrets: secrets), keepsBodies: configuration.bodies,
            ignored: Set(configuration.ignored))
    }

    func allowance() -> RecordingAllowance { RecordingAllowance(of: memory) }

    /// Reports an exchange that cannot be recorded.
    func drop() { sink.drop() }

    /// - Parameters:
    ///   - allowance: allowance for the exchange's memory, released once the exchange is written.
    ///   - onlyAnswers: whether only exchanges with a real reply are written.
    func keep(_ exchange: RecordedExchange, _ allowance: RecordingAllowance, onlyAnswers: Bool) {
        let maker = maker
        sink.write {
            withExtendedLifetime(allowance) { !onlyAnswers || exchange.isAnswer ? maker.file(of: exchange) : nil }
        }
    }
}

/// Destination of recordings.
package protocol CassetteSink: Sendable {
    /// Writes a file in another thread.
    ///
    /// - Parameter make: called on that thread, because it takes a while; returns nil if nothing is to be written.
    func write(_ make: @escaping @Sendable () -> CassetteFile?)
    /// Reports a recording that was dropped for lack of memory.
    func drop()
}

/// Recording with its file name.
package struct CassetteFile: Sendable {
    /// Name without the folder; sorts by the time of the request.
    package let name: String
    package let cassette: Cassette

    package init(name: String, cassette: Cassette) {
        self.name = name
        self.cassette = cassette
    }

    package static let suffix = ".cassette"
}

/// Memory shared by all recordings that are in progress or wait to be written.
final class RecordingMemory: Sendable {
    private let held = Atomic<Int>(0)
    private static let limit = 256 << 20

    fileprivate func take(_ octets: Int) -> Bool {
        if held.add(octets, ordering: .relaxed).newValue <= RecordingMemory.limit { return true }
        giveBack(octets)
        return false
    }

    fileprivate func giveBack(_ octets: Int) { held.subtract(octets, ordering: .relaxed) }
}

/// Part of a ``RecordingMemory`` that one recording holds. It is released by deinit.
final class RecordingAllowance: Sendable {
    private let memory: RecordingMemory
    private let octets = Atomic<Int>(0)

    init(of memory: RecordingMemory) { self.memory = memory }

    deinit { memory.giveBack(octets.load(ordering: .relaxed)) }

    func grow(by more: Int) -> Bool {
        guard memory.take(more) else { return false }
        octets.add(more, ordering: .relaxed)
        return true
    }
}
