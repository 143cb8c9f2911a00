package import HeadgateCassettes
package import HeadgateConfiguration
internal import Synchronization

/// Hands exchanges that are over to whoever writes them.
package final class Recorder: Sendable {
    private let sink: any CassetteSink
    private let maker: CassetteMaker
    private let memory = RecordingMemory()

    /// - Parameters:
    ///   - definitions: of the upstreams, whose secrets are not written.
    ///   - secrets: more that are not written.
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

    /// An exchange cannot be kept.
    func drop() { sink.drop() }

    /// - Parameters:
    ///   - allowance: for the exchange's memory; released when it is written.
    ///   - onlyAnswers: whether what says no answer is not written.
    func keep(_ exchange: RecordedExchange, _ allowance: RecordingAllowance, onlyAnswers: Bool) {
        let maker = maker
        sink.write {
            withExtendedLifetime(allowance) { !onlyAnswers || exchange.isAnswer ? maker.file(of: exchange) : nil }
        }
    }
}

/// Where recordings are written.
package protocol CassetteSink: Sendable {
    /// Writes a file in another thread.
    ///
    /// - Parameter make: takes its time, and is called there; nil for what is not to be written.
    func write(_ make: @escaping @Sendable () -> CassetteFile?)
    /// A recording was given up, for want of memory.
    func drop()
}

/// A recording under its name.
package struct CassetteFile: Sendable {
    /// Without the folder; sorts by the time of the request.
    package let name: String
    package let cassette: Cassette

    package init(name: String, cassette: Cassette) {
        self.name = name
        self.cassette = cassette
    }

    package static let suffix = ".cassette"
}

/// The memory that all recordings exchange which are under way or wait for being written.
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

/// The part of it that one recording has. Released by deinit.
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
