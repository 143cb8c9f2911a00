import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
package import HeadgateGateway
import HeadgateLibC
import HeadgateRelay

/// A process that serves, from its configuration to its end: what `headgate serve` runs.
///
/// Belongs to the main thread.
package final class ServiceProcess {
    package let service: GatewayService
    /// Log for people.
    package let log: LogWriter
    /// Output for programs that wait for the start.
    package let output: LogWriter
    package let onDevice: OnDeviceAnnouncer
    /// Initial configuration.
    package let first: ServedConfiguration
    package let source: ConfigurationSource
    let environment: [String: String]
    let manager: ServiceManager
    /// Program and arguments of a successor; nil if the process cannot be replaced.
    let successor: [String]?
    /// Gateway that this process replaces; nil once it has ended, or if there was none.
    private(set) var predecessor: Predecessor?
    var predecessorWatch: LoopBound<PredecessorWatch>?
    /// Process that serves instead of this one; nil before an upgrade.
    var isHandedOverTo: Successor?
    private let companion: CompanionService?
    let group: EventLoopGroup
    private let requestLog: RequestLog
    let control = ControlQueue()
    let signals: SignalWatch
    var record: RuntimeRecord?
    /// Watch for changed files; nil if they are not watched.
    private let watch: FileWatch?

    /// Reads the configuration and composes the gateway. Nothing is served before ``open()``.
    ///
    /// - Parameters:
    ///   - companion: settings if another command started this process for itself.
    ///   - watches: whether a changed configuration file is applied without a request to reload.
    ///   - added: capabilities of the program in addition to the built-in ones.
    ///   - predecessor: the gateway that started this process as its replacement.
    ///   - successor: the program and the arguments that can replace this process in turn.
    /// - Throws: ``Complaint``, or ``ThreadShortage``.
    package init(
        _ source: ConfigurationSource, environment: [String: String], manager: ServiceManager,
        companion: CompanionService?, watches: Bool = false, added: [Capability] = [],
        predecessor: Predecessor? = nil, successor: [String]? = nil
    ) throws {
        let watched = watches ? try source.fileToWatch() : nil
        let sightings = FileSightings()
        (self.source, self.environment, self.manager, self.companion) = (source, environment, manager, companion)
        // Only a gateway that the user started can be upgraded, not a companion or a replay.
        let isOwn = companion == nil && source.replayed == nil
        self.successor = isOwn ? successor : nil
        self.predecessor = predecessor
        first = try ServedConfiguration.load(
            source, environment: environment, inherited: manager.sockets, companion: companion, noting: sightings)
        if let predecessor {
            // Checks the certificates. Sockets and stores can be opened only after the turn.
            _ = try ListenerComposer(inherited: []).settings(for: first.configuration.listeners)
            try predecessor.waitForTurn(with: first.configuration, environment)
        }
        let loops = first.configuration.loops ?? EventLoopGroup.availableProcessors
        headgate_tune_allocator(Int32(loops))
        group = try EventLoopGroup(starting: loops)
        let log = try LogWriter(group: group, to: LogDescriptor(descriptor: STDERR_FILENO))
        self.log = log
        output = try LogWriter(group: group, to: LogDescriptor(descriptor: STDOUT_FILENO))
        let requestLog = try RequestLog(first.configuration.log, log: log, environment: environment, group: group)
        self.requestLog = requestLog
        let (onDevice, programs) = (OnDeviceAnnouncer(log: log, output: output), ProgramLog(log: log))
        self.onDevice = onDevice
        let control = control
        // A companion gateway, and one with only recordings, have no other clients.
        let managesKeys = companion == nil && !source.isOfRecordingsAlone
        let keys =
            managesKeys
            ? try KeyStoreComposer(
                first.configuration.ledger.place, environment: environment, log: log,
                appeared: { control.post(.keys) }) : nil
        service = try GatewayService(
            first.configuration, authentication: first.authentication, environment: environment, group: group,
            log: log, requestLog: requestLog, inherited: manager.sockets,
            observer: ProgramObserver(
                onDevice: { onDevice.tell($0) }, local: { programs.tell($0, upstream: $1) },
                key: { programs.tell($0, upstream: $1) }),
            keys: keys, isGuest: !isOwn, added: added, predecessor: predecessor)
        if let watched {
            watch = try FileWatch(watched, since: sightings, loop: group.loops[0], control)
        } else {
            watch = nil
        }
        // This comes before the first response, after which a client can send a signal.
        signals = try SignalWatch(
            service, manager: manager, group: group, log: log, requestLog: requestLog, control: control,
            upgrades: self.successor != nil)
    }

    /// Prepares this process for a gateway: signals do not end it by accident, and core dumps cannot leak keys. Must be
    /// called first.
    package static func prepare() {
        // A closed pipe, a file at its size limit, and an early signal to reopen the log must not end the process.
        for number in [SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }
        headgate_protect_memory()
    }

    /// Function that ends the service as SIGTERM does. Can be called from any thread.
    package var end: @Sendable () -> Void { { [signals] in signals.requestEnd() } }

    /// Begins to serve.
    ///
    /// - Throws: ``Complaint`` if an address or a certificate cannot be used.
    package func open() throws {
        try service.open()
        // Only a gateway that the user started can be reloaded, not a companion or a replay.
        guard companion == nil, source.replayed == nil else { return }
        record = RuntimeRecord.make(
            environment, addresses: service.listening, file: source.path, isReplaceable: successor != nil,
            predecessor: predecessor?.process)
        if let predecessor { confirm(to: predecessor) }
    }

    /// Serves until a signal has ended the service and the last connection is closed.
    package func run() {
        // The service of a successor has been ready before, and its manager does not know the process yet.
        if predecessor == nil { manager.ready() }
        serving: while true {
            switch control.next() {
            case .end: break serving
            case .predecessorGone:
                adoptOutcomes()
                predecessor = nil
            case _ where service.readiness.isDraining || isHandedOverTo != nil: continue
            case .reload: reload()
            case .files: if watch?.haveChanged() == true { reload(isAsked: false) }
            case .keys: admitKeys()
            case .upgrade: upgrade()
            }
        }
        service.endDisconnected()
        service.stopPrograms()
        service.closeStores()
        record?.remove()
        requestLog.close()
        log.close()
        output.close()
        signals.end()
        stopWatchingPredecessor()
        watch?.close()
        group.stop()
    }

    /// Serves the same configuration with managed keys. A keyless gateway requires keys from now on.
    private func admitKeys() {
        guard service.lacksManagedKeys else { return }
        do {
            let configuration = service.configuration
            let authentication = try ClientAuthentication(configuration, environment: environment)
            try service.apply(configuration, authentication: authentication)
            log.say("headgate: managed keys are let in from now on, and no caller without a key")
        } catch {
            let reason = (error as? Complaint)?.message ?? "\(error)"
            log.say("headgate: managed keys are not let in, everything stays as it is:\n\(reason)")
        }
    }

    private enum Reload {
        case served
        case failed(String)
        /// The files are still being written.
        case tooEarly
    }

    /// Reloads the configuration.
    ///
    /// - Parameter isAsked: whether a reload was requested. Otherwise, files that are being written are not applied.
    private func reload(isAsked: Bool = true) {
        manager.reloading()
        record?.begin()
        // Changes before this point are read now.
        _ = watch?.haveChanged()
        let sightings = FileSightings()
        let reload = apply(noting: sightings, writes: isAsked ? nil : watch?.writes())
        // Also after a failure, since a missing or faulty file can be corrected at any time.
        if let watch, let path = source.path, let trouble = watch.watch(path, since: sightings) {
            log.say("headgate: \(trouble)")
        }
        switch reload {
        case .served: record?.end(nil, addresses: service.listening)
        case .failed(let reason): record?.end(reason, addresses: service.listening)
        // The watch reports the end of the write.
        case .tooEarly: return manager.ready()
        }
        if watch != nil { control.post(.files) }
        manager.ready()
    }

    /// - Parameters:
    ///   - sightings: records the state of each file before it is read.
    ///   - writes: number of writes before this call; if set, files that are written meanwhile are not applied.
    private func apply(noting sightings: FileSightings, writes: Int?) -> Reload {
        let areWhole = { [watch, source] in
            guard let writes, let watch else { return true }
            // The order matters: a file is empty for a moment before the kernel reports it.
            return !source.isEmpty && watch.wereWhole(since: writes)
        }
        do {
            try source.checkIsWritten()
            let new = try ServedConfiguration.load(
                source, environment: environment, inherited: manager.sockets, companion: companion, noting: sightings,
                confirm: { if !areWhole() { throw CancellationError() } })
            try service.apply(new.configuration, authentication: new.authentication)
            tell(new)
            return .served
        } catch {
            guard areWhole() else { return .tooEarly }
            let reason = (error as? Complaint)?.message ?? "\(error)"
            log.say("headgate: not reloaded, everything stays as it is:\n\(reason)")
            return .failed(reason)
        }
    }

    private func tell(_ new: ServedConfiguration) {
        let configuration = new.configuration
        log.say(
            "headgate: reloaded (upstreams: \(configuration.upstreams.count), "
                + "models: \(configuration.models.count), keys: \(configuration.keys.count))")
        for (key, isChanged) in [
            ("loops", configuration.loops != first.configuration.loops),
            ("log", configuration.log != first.configuration.log),
        ] where isChanged {
            log.say("headgate: a changed '\(key)' takes effect at the next start")
        }
        for warning in new.warnings { log.say("  \(warning)") }
    }
}
