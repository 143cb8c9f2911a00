import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateLibC
import HeadgateServer

/// Replacement of the process by another one of the same program, possibly a newer version.
extension ServiceProcess {
    /// Starts a process of the program and hands over to it. If that fails, nothing changes.
    func upgrade() {
        guard let successor else { return }
        record?.begin()
        log.say("headgate: upgrading: \(successor[0]) is started and takes over once it is ready")
        do {
            try handOver(to: successor)
        } catch {
            let reason = (error as? Complaint)?.message ?? "\(error)"
            log.say("headgate: not upgraded, everything stays as it was:\n\(reason)")
            record?.end(reason, addresses: service.listening)
        }
    }

    private func handOver(to program: [String]) throws {
        guard getpid() != 1 else {
            throw Complaint("this gateway is process 1, with which its container ends: start another container")
        }
        if let predecessor {
            throw Complaint(
                "the last upgrade is not over: process \(predecessor.process) still finishes what was in flight. Wait "
                    + "until it has ended, at most for its 'limits: {drain}'")
        }
        guard !service.runsPrograms else {
            throw Complaint(
                "this gateway runs programs or the model on this device, which two processes cannot share: restart it "
                    + "instead of upgrading it")
        }
        let (offer, descriptors) = try service.offer()
        let variables = environment.merging(manager.variables) { $1 }
        let successor = try Successor(
            program, environment: variables, offer, descriptors, ignoresHangUp: signals.ignoresHangUp,
            isManaged: manager.isPresent)
        let readiness = service.readiness
        var isPaused = false
        do {
            try successor.takeOver(
                unless: { readiness.isDraining },
                release: {
                    isPaused = true
                    try service.pause()
                })
        } catch {
            if isPaused, !readiness.isDraining { resume() }
            throw error
        }
        // The socket closes when this process ends, after which the other one reads its journal.
        isHandedOverTo = successor
        manager.handOver(to: successor.process)
        record?.handOver(to: successor.process)
        log.say(
            "headgate: process \(successor.process) serves from now on; finishing what is in flight (connections: "
                + "\(service.server.openConnections))")
        let control = control
        service.handOver { control.post(.end) }
    }

    private func resume() {
        do {
            try service.resume()
        } catch {
            log.say(
                "headgate: the stores that were handed over cannot be opened again: "
                    + ((error as? Complaint)?.message ?? "\(error)"))
        }
    }

    /// Reports that this process serves, and watches for the end of its predecessor.
    func confirm(to predecessor: Predecessor) {
        service.claimLocks()
        predecessor.serves()
        let (loop, control) = (group.loops[0], control)
        let watch = LoopBound(PredecessorWatch(), on: loop)
        let descriptor = predecessor.descriptor
        loop.execute {
            let owner = watch.value
            owner.event = SocketEvent(loop: loop, descriptor: descriptor, kind: .read) { [weak owner] in
                owner?.event?.remove()
                control.post(.predecessorGone)
            }
            owner.event?.add()
        }
        predecessorWatch = watch
        // A periodic round can come first.
        service.readJournals(atOnce: false)
    }

    func stopWatchingPredecessor() {
        guard let watch = predecessorWatch else { return }
        try? watch.loop.performAndWait { watch.value.event = nil }
        predecessorWatch = nil
    }

    /// Writes the requests that the predecessor left in its journal.
    func adoptOutcomes() {
        stopWatchingPredecessor()
        service.readJournals(atOnce: true)
        log.say("headgate: the former process has ended")
    }
}

/// Event of the predecessor's end.
final class PredecessorWatch {
    var event: SocketEvent?
}
