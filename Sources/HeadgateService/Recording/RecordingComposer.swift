import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateRelay

/// Turns `record:` into the middleware that records and replays.
///
/// Belongs to the main thread.
final class RecordingComposer {
    private let log: LogWriter
    /// Writer of recordings, created when the first one is recorded.
    private var writer: CassetteWriter?

    init(log: LogWriter) { self.log = log }

    /// Returns the middleware; nil if nothing is recorded or replayed.
    ///
    /// - Throws: ``Complaint`` if the folder cannot be used, or ``ThreadShortage``.
    func middleware(
        for configuration: Configuration, _ authentication: ClientAuthentication,
        _ definitions: [UpstreamDefinition]
    ) throws -> (any UpstreamMiddleware)? {
        var secrets: [Secret] = []
        if case .generated(let key, _) = authentication { secrets.append(Secret(key)) }
        return try recording(configuration.record, definitions, secrets)
    }

    /// - Parameter secrets: secrets in addition to those of the upstreams.
    private func recording(
        _ configuration: RecordConfiguration?, _ definitions: [UpstreamDefinition], _ secrets: [Secret]
    ) throws -> Recording? {
        guard let configuration else { return nil }
        let folder = CassetteFolder(FilePath.absolute(configuration.folder))
        let ignored = Set(configuration.ignored)
        let shelf = Locked(CassetteShelf(try files(of: folder, configuration.mode), ignoring: ignored))
        if configuration.mode == .replay, shelf.withLock({ $0.isEmpty }) {
            throw Complaint(
                "record: no file in \(folder.path) holds bodies: what was recorded with bodies: false cannot be "
                    + "replayed",
                exitCode: .configuration)
        }
        return Recording(
            configuration, shelf: shelf,
            recorder: try recorder(configuration, folder, definitions, secrets, shelf),
            clock: RecordingClock(
                realtime: headgate_realtime_nanoseconds, now: { EventLoop.current.now },
                after: { delay, action in
                    let timer = LoopTimer(loop: EventLoop.current, action: action)
                    timer.schedule(after: delay)
                    return timer
                }))
    }

    private func files(of folder: CassetteFolder, _ mode: RecordConfiguration.Mode) throws -> [CassetteFile] {
        switch mode {
        case .record: []
        case .replay: try folder.read(skipped: noteSkipped)
        case .recordOnMiss: try folder.readIfAny(skipped: noteSkipped)
        }
    }

    private func noteSkipped(_ complaint: Complaint) {
        log.say("headgate: \(complaint.skippedRecording)")
    }

    private func recorder(
        _ configuration: RecordConfiguration, _ folder: CassetteFolder, _ definitions: [UpstreamDefinition],
        _ secrets: [Secret], _ shelf: Locked<CassetteShelf>
    ) throws -> Recorder? {
        guard configuration.mode != .replay else { return nil }
        try folder.make()
        let writer = try writer ?? CassetteWriter(log: log)
        self.writer = writer
        let isReplayed = configuration.mode == .recordOnMiss
        let ignored = Set(configuration.ignored)
        let (log, isFull) = (log, Locked(false))
        return Recorder(
            configuration, definitions: definitions, secrets: secrets,
            sink: writer.sink(folder: folder.path) { file in
                guard isReplayed, let digest = CassetteShelf.digest(of: file, ignoring: ignored) else { return }
                guard !shelf.withLock({ $0.add(file, under: digest) }) else { return }
                let wasFull = isFull.withLock { isFull in
                    defer { isFull = true }
                    return isFull
                }
                guard !wasFull else { return }
                log.say(
                    "headgate: the recordings take 1 GiB of memory: further ones are written, and do not answer before "
                        + "a start from another folder")
            })
    }

    /// Writes the remaining recordings.
    func stop() { writer?.close() }
}
