import CHeadgate
import HeadgateLibC
import HeadgateNetwork
import HeadgateUpstream

/// Process that is to replace this gateway, and the channel to it.
///
/// Belongs to the main thread.
final class Successor {
    let process: Int32
    /// Whether the service manager is the parent of the process, and learns of its end even before this process ends.
    private let isManaged: Bool
    private let channel: HandoverChannel
    private var machine = HandoverStateMachine()

    /// Deadline for reading and checking the configuration.
    private static let checking = Duration.seconds(30)
    /// Deadline for opening the stores and sockets afterwards, while connections wait.
    private static let beginning = Duration.seconds(10)

    /// Starts the process and makes the offer.
    ///
    /// - Parameters:
    ///   - arguments: the program's path and its arguments.
    ///   - descriptors: the descriptors of the offer, in its order.
    ///   - ignoresHangUp: whether the process starts with SIGHUP ignored, as under nohup.
    ///   - isManaged: whether a service manager started this gateway.
    /// - Throws: ``Complaint``.
    init(
        _ arguments: [String], environment: [String: String], _ offer: HandoverMessage.Offer, _ descriptors: [Int32],
        ignoresHangUp: Bool, isManaged: Bool
    ) throws {
        self.isManaged = isManaged
        do throws(HandoverError) {
            let (own, other) = try HandoverChannel.pair()
            channel = own
            var variables = environment
            variables[Predecessor.variable] = Predecessor.value
            process = Successor.start(
                arguments, variables, at: other.descriptor, ignoresHangUp: ignoresHangUp, isSibling: isManaged)
            guard process > 0 else { throw .system(-process) }
        } catch {
            throw Complaint("cannot start \(arguments[0]): \(error)")
        }
        do throws(HandoverError) {
            try channel.send(.offer(offer), descriptors)
        } catch {
            let step = machine.fail(error, isEnding: false)
            end()
            if case .stay(let reason) = step { throw Complaint(reason) }
        }
    }

    static func start(
        _ arguments: [String], _ environment: [String: String], at descriptor: Int32, ignoresHangUp: Bool,
        isSibling: Bool
    ) -> Int32 {
        withCStrings(arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { environment in
                arguments[0].map {
                    headgate_spawn_successor($0, arguments, environment, descriptor, ignoresHangUp, isSibling)
                } ?? -ENOENT
            }
        }
    }

    /// Waits until the process serves.
    ///
    /// - Parameters:
    ///   - isEnding: returns whether this gateway was asked to end.
    ///   - release: leaves sockets and stores to the process, which is ready.
    /// - Throws: ``Complaint`` if this gateway continues to serve; then the process has ended.
    func takeOver(unless isEnding: () -> Bool, release: () throws -> Void) throws {
        var step = next(within: Successor.checking, isEnding)
        if step == .commit {
            do {
                try release()
            } catch {
                end()
                throw error
            }
            step = send(.commit) ?? next(within: Successor.beginning, isEnding)
        }
        guard case .stay(let reason) = step else { return }
        end()
        throw Complaint(reason)
    }

    private func next(within limit: Duration, _ isEnding: () -> Bool) -> HandoverStateMachine.Step {
        do throws(HandoverError) {
            return machine.receive(try channel.receive(within: limit, unless: isEnding))
        } catch {
            // A late process must not begin to serve beside this gateway.
            if error == .silent { kill(process, SIGKILL) }
            return machine.fail(error, isEnding: isEnding())
        }
    }

    private func send(_ message: HandoverMessage) -> HandoverStateMachine.Step? {
        do throws(HandoverError) {
            try channel.send(message)
            return nil
        } catch {
            return machine.fail(error, isEnding: false)
        }
    }

    /// Ends the process, which has a second to report why it does not serve.
    private func end() {
        var status: Int32 = 0
        for _ in 0..<100 {
            // A manager reaps its children itself.
            if headgate_reap(process, &status) != 0, !isManaged || kill(process, 0) < 0 { return }
            usleep(10_000)
        }
        kill(process, SIGKILL)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}
