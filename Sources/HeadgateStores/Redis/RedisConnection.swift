package import HeadgateEventLoop
package import HeadgateNetwork

/// Connection to a server on one loop, which reconnects whenever it is lost. Commands are sent at once, and their
/// replies arrive in the same order. Loop-confined.
package final class RedisConnection {
    /// Called with nil if there is no reply.
    package typealias Completion = (RedisReply?) -> Void

    /// Change of the connection's state, reported on the loop.
    package enum Change {
        /// - Parameter replies: replies to the greeting.
        case up(_ replies: [RedisReply])
        case down(String)
    }

    private let loop: EventLoop
    private let access: RedisAccess
    private let resolver: NameResolver
    private var machine: StateMachine<Completion>
    private let greeting: () -> [RedisCommand]
    private let changed: (Change) -> Void
    private var connector: Connector?
    private var channel: ByteChannel?
    private var parser = RedisReplyParser()
    private var timer: LoopTimer?

    private static let connectTimeout = Duration.seconds(2)

    /// - Parameters:
    ///   - greeting: returns the first commands of each connection, sent after authentication; not empty.
    ///   - changed: called with each change. Neither closure may retain the connection.
    package init(
        _ access: RedisAccess, resolver: NameResolver, on loop: EventLoop,
        patience: RedisPatience = RedisPatience(),
        greeting: @escaping () -> [RedisCommand] = { [RedisCommand("PING")] },
        changed: @escaping (Change) -> Void
    ) {
        self.loop = loop
        self.access = access
        self.resolver = resolver
        self.changed = changed
        self.greeting = greeting
        machine = StateMachine(patience: patience)
    }

    deinit { channel?.close() }

    package var isUp: Bool { machine.isUp }

    package func start() { follow(machine.start()) }

    /// Stops permanently. Only the completions of pending calls are still called.
    package func stop() {
        follow(machine.stop())
        timer = nil
    }

    /// Closes the connection because of an unexpected response, and reconnects.
    package func fail(_ reason: String) { follow(machine.fail(reason, at: loop.now, random: random)) }

    /// - Parameter completion: called once, on the loop, perhaps before this returns.
    package func call(_ command: RedisCommand, completion: @escaping Completion) {
        guard machine.isUp, let channel else { return completion(nil) }
        channel.write { command.write(to: &$0) }
        follow(machine.add(completion, at: loop.now))
    }

    private var random: Double { .random(in: 0...1) }

    private func follow(_ step: StateMachine<Completion>.Step) {
        if step.closes { close() }
        for completion in step.failed { completion(nil) }
        if let (completion, reply) = step.answered { completion(reply) }
        switch step.report {
        case .up(let replies): changed(.up(Array(replies.dropFirst(access.greeting.count))))
        case .down(let reason): changed(.down(reason))
        case nil: break
        }
        if let instant = step.wakeUp { wake(at: instant) }
        if !step.sends.isEmpty, let channel {
            channel.write { output in for command in step.sends { command.write(to: &output) } }
        }
        if step.connects { connect() }
    }

    private func wake(at instant: UInt64) {
        let timer =
            timer
            ?? LoopTimer(loop: loop) { [unowned self] in follow(machine.wake(at: loop.now, random: random)) }
        self.timer = timer
        timer.schedule(at: instant)
    }

    // MARK: The connection

    private func connect() {
        let connector = Connector(loop: loop, resolver: resolver, policy: AddressPolicy(allowsPrivate: true))
        self.connector = connector
        connector.connect(to: access.target, timeout: RedisConnection.connectTimeout) { [weak self] result in
            guard let self else { return }
            self.connector = nil
            switch result {
            case .success(let descriptor): open(descriptor)
            case .failure(let failure): fail(failure.description)
            }
        }
    }

    private func open(_ descriptor: Int32) {
        var session: TLSSession?
        if let tls = access.tls {
            do {
                session = try TLSSession(context: tls.context, descriptor: descriptor, role: tls.role)
            } catch {
                // A channel closes the descriptor.
                ByteChannel(loop: loop, descriptor: descriptor, lowWaterMark: 0).close()
                return fail(error.description)
            }
        }
        let channel = ByteChannel(loop: loop, descriptor: descriptor, tls: session, lowWaterMark: .max)
        self.channel = channel
        parser = RedisReplyParser()
        channel.open(owner: self)
        follow(machine.connected(at: loop.now, greeting: access.greeting + greeting()))
    }

    private func close() {
        connector?.cancel()
        connector = nil
        channel?.close()
        channel = nil
    }
}

extension RedisConnection: ByteChannelOwner {
    package func channelReceived(_ bytes: UnsafeRawBufferPointer) {
        guard let current = channel else { return }
        parser.feed(bytes)
        do throws(RedisReplyParser.Failure) {
            // A reply can end the connection, and a new one might exist already.
            while channel === current, let reply = try parser.next() {
                follow(machine.receive(reply, at: loop.now, random: random))
            }
        } catch {
            fail("it does not speak the protocol of Redis")
        }
    }

    package func channelEnded() { fail("it has ended the connection") }

    package func channelFailed(_ failure: ChannelFailure) { fail(failure.explanation) }

    package func channelDrained() {}
}

/// Time limits of a server, in nanoseconds.
package struct RedisPatience: Sendable {
    /// Limit for the replies to the greeting, from the connection on.
    package var greeting: UInt64 = 2_000_000_000
    /// Limit for each reply, which requests wait for.
    package var reply: UInt64 = 250_000_000
    /// First pause after a failure.
    package var shortest: UInt64 = 100_000_000
    package var longest: UInt64 = 5_000_000_000

    package init() {}
}
