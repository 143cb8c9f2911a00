import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives
import HeadgateRelay
import HeadgateService
import HeadgateUpstream

/// A gateway that is started for one command and always ends with it.
final class CompanionGateway: Sendable {
    private final class Owner {
        var child: ChildProcess?
    }

    fileprivate struct State: Sendable {
        /// Last lines of the output.
        var lines: [String] = []
        var news: [String] = []
        var address: String?
        var isReady = false
        /// Message that the on-device model is unavailable; nil if there is none.
        var complaint: String?
        var end: String?
    }

    fileprivate static let keptLines = 12

    let key: String
    private let owner: LoopBound<Owner>
    private let state: Locked<State>
    private let changed: Signal
    private let ended: Latch

    /// Starts a gateway with the configuration of a file, or of the environment if the path is nil.
    ///
    /// - Parameter group: Must live until ``close()``, because the kernel ends the gateway with the loop's thread.
    /// - Throws: ``Complaint``.
    init(configurationFile: String?, environment: [String: String], group: EventLoopGroup) throws {
        let key = NewKey.make()
        self.key = key
        let (state, changed, ended) = (Locked(State()), Signal(), Latch())
        (self.state, self.changed, self.ended) = (state, changed, ended)
        var variables = environment
        for name in ServiceEnvironment.variables + ["HEADGATE_KEY", "HEADGATE_URL"] { variables[name] = nil }
        variables[CompanionService.variable] = key
        let surroundings = variables
        var arguments = [ProgramFile.runnable, "serve", "--companion"]
        if let configurationFile { arguments += ["--config", configurationFile] }
        let commandLine = arguments
        let loop = group.loops[0]
        do {
            owner = try loop.performAndWait {
                let owner = Owner()
                owner.child = try ChildProcess(
                    loop: loop, arguments: commandLine, environment: surroundings, errorOutput: .captured,
                    startsOthers: false
                ) { line in
                    if state.withLock({ $0.take(line) }) { changed.raise() }
                } exited: { [unowned owner] end in
                    owner.child = nil
                    state.withLock { $0.end = end.description }
                    changed.raise()
                    ended.open()
                }
                return LoopBound(owner, on: loop)
            }
        } catch let error as SpawnError {
            throw Complaint("cannot start a gateway: \(error)")
        }
    }

    /// Waits until the gateway serves. Must not be called on a loop.
    ///
    /// - Parameters:
    ///   - needsModelOnDevice: Whether the on-device model is required.
    ///   - relay: A signal ends the wait.
    ///   - progress: Called with the gateway's progress messages.
    /// - Throws: ``Complaint`` with the gateway's last output if it ends, or ``Interruption``.
    func waitUntilReady(
        needsModelOnDevice: Bool, relay: SignalRelay, progress: (String) -> Void
    ) throws -> BaseURL {
        let changed = changed
        let before = relay.set { _ in changed.raise() }
        defer { relay.set(before) }
        while true {
            if let signal = relay.last { throw Interruption(signal: signal) }
            let now = state.withLock { state in
                defer { state.news = [] }
                return state
            }
            for line in now.news { progress(line) }
            if let end = now.end {
                let words = now.lines.joined(separator: "\n  ")
                throw Complaint("the gateway that was to be started ended with \(end):\n  \(words)")
            }
            if let complaint = now.complaint, needsModelOnDevice {
                throw Complaint("the gateway was started, but has no model: \(complaint)")
            }
            if now.isReady || now.complaint != nil, let address = now.address {
                guard let url = try? UpstreamURL(parsing: address) else {
                    throw Complaint("the gateway that was started names no address: '\(address)'")
                }
                // Other upstreams still work.
                if let complaint = now.complaint { progress("no on-device model: \(complaint)") }
                return BaseURL(url)
            }
            changed.wait()
        }
    }

    /// Ends the gateway and waits until it is gone. Must not be called on a loop.
    func close() {
        let owner = owner
        owner.loop.execute { owner.value.child?.terminate() }
        if ended.wait(atMost: .seconds(5)) { return }
        owner.loop.execute { owner.value.child?.forceEnd() }
        ended.wait()
    }
}

extension CompanionGateway.State {
    /// Reads a line of the gateway's output.
    ///
    /// - Returns: whether the line shows that the gateway is ready.
    fileprivate mutating func take(_ line: String) -> Bool {
        // Once the gateway serves, its output is only read to keep the pipe empty.
        guard !isReady else { return false }
        let (listening, onDevice, failure) = (
            "listening on ", "  on-device model: ", "headgate: no on-device model: "
        )
        if line == "ready" {
            isReady = true
        } else if line.hasPrefix(listening) {
            address = String(line.dropFirst(listening.count))
        } else if line.hasPrefix(failure) {
            complaint = String(line.dropFirst(failure.count))
        } else {
            if line.hasPrefix(onDevice) { news.append(String(line.dropFirst(2))) }
            lines.append(line)
            if lines.count > CompanionGateway.keptLines { lines.removeFirst() }
        }
        return true
    }
}
