package import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateNetwork
package import HeadgateRelay
package import HeadgateUpstream

/// Turns configured upstreams into definitions for the gateway. Unchanged upstreams keep their connections and their
/// programs.
///
/// Belongs to one thread, which is not a loop's.
package final class UpstreamComposer {
    /// Upstreams of one configuration, before it replaces the previous one.
    package struct Plan {
        var parts: [String: Part] = [:]
        package fileprivate(set) var definitions: [UpstreamDefinition] = []
    }

    struct Part {
        let configuration: UpstreamConfiguration
        let definition: UpstreamDefinition
        var programs: [UpstreamProgram] = []
        /// Whether recordings replace the upstream.
        var isReplayed = false
    }

    let network: UpstreamNetwork
    let environment: [String: String]
    let observer: ProgramObserver
    /// Parts of the plan in force.
    private(set) var parts: [String: Part] = [:]
    /// Groups of programs, by name, for as long as the gateway runs.
    private var groups: [String: ProgramGroup] = [:]
    private var side: EventLoopGroup?

    package init(network: UpstreamNetwork, environment: [String: String], observer: ProgramObserver) {
        self.network = network
        self.environment = environment
        self.observer = observer
    }

    /// - Parameter isReplayed: whether recordings replace the upstreams, none of which is connected or started.
    /// - Throws: ``Complaint`` if a file that an upstream needs cannot be used.
    package func plan(_ upstreams: [UpstreamConfiguration], isReplayed: Bool = false) throws -> Plan {
        var plan = Plan()
        // Authorities are read each time, since their files can have changed, and only if they are needed, since they
        // are large.
        var systemTLS: TLSContext?
        do {
            for upstream in upstreams {
                let kept = parts[upstream.name].flatMap { part in
                    part.configuration == upstream && upstream.authorities == nil && part.isReplayed == isReplayed
                        ? part : nil
                }
                let new = { [self] in
                    isReplayed ? replayedPart(upstream) : try part(for: upstream, systemTLS: &systemTLS)
                }
                guard let part = try kept ?? new() else { continue }
                plan.parts[upstream.name] = part
                plan.definitions.append(part.definition)
            }
        } catch {
            release(plan)
            throw error
        }
        return plan
    }

    /// Puts the plan in force, and ends programs that it no longer needs: at once if they are unused, and otherwise
    /// after the drain timeout.
    func adopt(_ plan: Plan, drain: Duration) {
        let before = programs
        parts = plan.parts
        let now = programs
        let (earlier, current) = (Set(before.map(\.identity)), Set(now.map(\.identity)))
        for program in before where !current.contains(program.identity) { retire(program, after: drain) }
        for program in now where !earlier.contains(program.identity) { program.start() }
    }

    /// Whether programs serve models, which another process cannot run at the same time.
    var runsPrograms: Bool { programs.contains(where: \.servesModels) }

    private var programs: [UpstreamProgram] { parts.values.flatMap(\.programs) }

    /// Removes what was prepared for a plan that is not adopted.
    package func release(_ plan: Plan) {
        let running = Set(programs.map(\.identity))
        for program in plan.parts.values.flatMap(\.programs) where !running.contains(program.identity) {
            program.release()
        }
    }

    /// Ends all programs and waits for them, and ends the side loop.
    package func stop() {
        // All at once, since each can take some time.
        let waits = programs.map { program in
            let gone = Latch()
            program.stop { gone.open() }
            return gone
        }
        for gone in waits { gone.wait() }
        side.take()?.stop()
    }

    /// Returns the group with a name. A new group has default limits until those of its configuration are adopted.
    func programGroup(_ name: String) -> ProgramGroup {
        if let group = groups[name] { return group }
        let group = ProgramGroup(
            name, ProgramGroup.Settings(ProgramGroupConfiguration(name: name)), on: network.group.loops[0])
        groups[name] = group
        return group
    }

    /// Changes the limits of the groups.
    package func adopt(_ configurations: [ProgramGroupConfiguration]) {
        for configuration in configurations { groups[configuration.name]?.adopt(ProgramGroup.Settings(configuration)) }
    }

    /// Returns the loop for work that must not delay requests: programs that print keys, and alerts.
    func sideGroup() throws(ThreadShortage) -> EventLoopGroup {
        if let side { return side }
        let group = try EventLoopGroup(starting: 1)
        side = group
        return group
    }

    private func retire(_ program: UpstreamProgram, after drain: Duration) {
        guard program.isInUse else { return program.stop {} }
        let loop = network.group.loops[0]
        loop.execute {
            let delay = Delay()
            delay.timer = LoopTimer(loop: loop) {
                program.stop {}
                delay.timer = nil
            }
            delay.timer?.schedule(after: drain)
        }
    }

    /// Timer that is retained until it has fired.
    private final class Delay {
        var timer: LoopTimer?
    }
}

extension ProgramGroup.Settings {
    fileprivate init(_ configuration: ProgramGroupConfiguration) {
        self.init(
            max: configuration.max, queue: configuration.queue, wait: configuration.wait.clampedNanoseconds,
            drain: configuration.drain.clampedNanoseconds)
    }
}
