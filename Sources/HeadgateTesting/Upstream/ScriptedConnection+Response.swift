internal import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgateNetwork

/// Playing a response at its pace and the peer's.
extension ScriptedConnection {
    /// More queued bytes than this mean that the peer does not read.
    private static let highWaterMark = 256 * 1024
    private static let lingering = Duration.seconds(2)
    private static let nextLook = Duration.milliseconds(2)

    private var observations: UpstreamObservations { table.player.observations }

    func play(_ plan: ResponsePlan) {
        self.plan = plan
        phase = .responding
        waitIsOver = false
        isPaused = false
        isEnding = false
        advance()
    }

    /// Writes pieces until there is something to wait for.
    private func advance() {
        guard phase == .responding, !isEnding, var plan else { return }
        // Out of the property meanwhile, so that its buffers are not copied.
        self.plan = nil
        defer { self.plan = plan }
        while let wait = plan.wait {
            guard channel.queuedBytes <= ScriptedConnection.highWaterMark else {
                isPaused = true
                return observations.note(.writingPaused(request))
            }
            if wait == .gate { return timer.schedule(after: ScriptedConnection.nextLook) }
            guard waitIsOver || !begin(wait) else { return }
            waitIsOver = false
            write(&plan)
        }
        isEnding = true
        // An end before the head has nothing to wait for, and nothing would tell us that the queue is empty.
        if channel.queuedBytes == 0 { timer.schedule(after: .zero) }
    }

    /// - Returns: whether the timer has been set.
    private func begin(_ wait: ResponsePlan.Wait) -> Bool {
        switch wait {
        case .none, .gate: return false
        case .turn: timer.schedule(after: .zero)
        case .nanoseconds(let nanoseconds): timer.schedule(afterNanoseconds: nanoseconds)
        }
        return true
    }

    private func write(_ plan: inout ResponsePlan) {
        let before = channel.queuedBytes
        var piece = ResponsePlan.Piece.nothing
        channel.write { piece = plan.write(to: &$0) }
        observations.noteWritten(channel.queuedBytes - before, request: request)
        switch piece {
        case .head: observations.note(.headSent(request))
        case .chunk(let number): observations.note(.chunkSent(request, number))
        case .segment, .nothing: break
        }
    }

    func timerFired() {
        if phase == .lingering { return close() }
        if isEnding { return conclude() }
        waitIsOver = true
        advance()
    }

    func channelDrained() {
        if isEnding, channel.queuedBytes == 0 { return conclude() }
        guard isPaused else { return }
        isPaused = false
        advance()
    }

    private func conclude() {
        guard phase == .responding, let plan else { return }
        isEnding = false
        switch plan.end {
        case .stall: return
        case .clean where !plan.closes:
            observations.note(.finished(request))
            return awaitNextRequest()
        case .clean, .cut:
            phase = .lingering
            timer.schedule(after: ScriptedConnection.lingering)
            // All bytes are with the kernel. After its FIN nothing of TLS can follow.
            if plan.endsWithoutGoodbye { shutdown(descriptor, Int32(SHUT_WR)) } else { channel.endOutputWhenDrained() }
        case .reset:
            channel.reset()
            close()
        }
        observations.note(.finished(request))
    }
}
