internal import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgateNetwork

/// Plays a response at its pace and at that of the peer.
extension ScriptedConnection {
    /// The number of queued bytes above which the peer is considered not to read.
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
        // The plan is removed from the property for the time of the loop, so that its buffers are not copied.
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
        // An end before the head has nothing to wait for, and there is no notification that the queue is empty.
        if channel.queuedBytes == 0 { timer.schedule(after: .zero) }
    }

    /// Starts a wait.
    ///
    /// - Returns: Whether the timer has been set.
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
            // The kernel has all bytes. After its FIN, no bytes of TLS can follow.
            if plan.endsWithoutGoodbye { shutdown(descriptor, Int32(SHUT_WR)) } else { channel.endOutputWhenDrained() }
        case .reset:
            channel.reset()
            close()
        }
        observations.note(.finished(request))
    }
}
