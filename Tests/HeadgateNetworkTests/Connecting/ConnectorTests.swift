import HeadgateEventLoop
import HeadgateLibC
import HeadgateNetwork
import HeadgatePrimitives
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConnectorTests {
    @Test func refusingAddressIsFollowedByTheNextAtOnce() async throws {
        let listener = try ListeningSocket("127.0.0.1")
        let names = FakeNames(["two.example": ["127.0.0.2", "127.0.0.3", "127.0.0.1"]])
        await withLoops { loops in
            let connect = Connecting(loop: loops[0], resolver: names.resolver())
            let (outcome, duration) = await connect.timed(.host("two.example", port: listener.port))
            #expect(outcome.socket?.remoteIP == "127.0.0.1")
            #expect(duration < .seconds(60))
        }
    }

    @Test func unresponsiveAddressIsOvertakenByTheNext() async throws {
        let (good, full) = try ListeningSocket.pair(backlog: 0)
        let hole = BlackHole(full, ip: "127.0.0.2")
        let names = FakeNames(["two.example": ["127.0.0.2", "127.0.0.1"]])
        await withLoops { loops in
            let connect = Connecting(loop: loops[0], resolver: names.resolver())
            let (outcome, duration) = await connect.timed(.host("two.example", port: good.port))
            #expect(outcome.socket?.remoteIP == "127.0.0.1")
            #expect(duration >= .milliseconds(200), "the first address was not tried first")
            #expect(duration < .seconds(60))
        }
        withExtendedLifetime(hole) {}
    }

    @Test func everyAddressRefusing() async throws {
        let names = FakeNames(["dead.example": ["127.0.0.2", "127.0.0.3"]])
        // The port is bound for a moment, so that no one else listens on it.
        let port = try ListeningSocket("127.0.0.4").port
        await withLoops { loops in
            let connect = Connecting(loop: loops[0], resolver: names.resolver())
            #expect(await connect(.host("dead.example", port: port)).failure == .refused(ECONNREFUSED))
            #expect(await connect(.tcp(ip: "127.0.0.2", port: port)).failure == .refused(ECONNREFUSED))
            #expect(await connect(.tcp(ip: "dead.example", port: port)).failure == .refused(EINVAL))
        }
    }

    @Test func everyAddressSilentEndsAtTheDeadline() async throws {
        let listener = try ListeningSocket("127.0.0.2", backlog: 0)
        let hole = BlackHole(listener, ip: "127.0.0.2")
        let names = FakeNames(["silent.example": ["127.0.0.2"]])
        await withLoops { loops in
            var connect = Connecting(loop: loops[0], resolver: names.resolver())
            connect.timeout = .milliseconds(100)
            let outcome = await connect(.host("silent.example", port: listener.port))
            #expect(outcome.failure == .timedOut("connecting to silent.example"))
            #expect(outcome.failure?.description == "timed out while connecting to silent.example")
        }
        withExtendedLifetime(hole) {}
    }

    @Test func unresponsiveNameServerTimesOutAndDelaysNoOne() async throws {
        let listener = try ListeningSocket("127.0.0.1")
        let latch = Latch()
        let names = FakeNames(["fast.example": ["127.0.0.1"]], stuck: ["stuck.example": latch])
        defer { latch.open() }
        await withLoops { loops in
            let loop = loops[0]
            let connect = Connecting(loop: loop, resolver: names.resolver())
            var hurried = connect
            hurried.timeout = .milliseconds(500)
            let impatient = hurried
            let ticks = await loop.callback { LoopBound(Ticking(loop), on: loop) }
            async let stuck = impatient(.host("stuck.example", port: listener.port))
            let other = await connect(.host("fast.example", port: listener.port))
            #expect(other.socket != nil)
            #expect(await stuck.failure == .timedOut("looking up stuck.example"))
            // There are 50 ticks on a machine that is not busy.
            #expect(await loop.callback { ticks.value.stop() } >= 5)
        }
    }

    @Test func unknownName() async {
        await withLoops { loops in
            let connect = Connecting(loop: loops[0])
            #expect(await connect(.host("nowhere.example", port: 1)).failure == .nameNotFound("no such name"))
            #expect(await connect(.host("no\r\nname", port: 1)).failure == .nameNotFound("it is not a host name"))
        }
    }

    // MARK: No route and no name

    /// TCP has no route to a multicast group on any network.
    @Test func withoutARouteItEndsAtOnce() async {
        await withLoops { loops in
            let failure = await Connecting(loop: loops[0]).atOnce(.tcp(ip: "224.0.0.1", port: 80))?.failure
            #expect(failure == .refused(ENETUNREACH))
            #expect(failure?.isUnreachable == true)
        }
    }

    @Test(arguments: [
        (Connector.Failure.refused(ENETUNREACH), true), (.refused(EHOSTUNREACH), true), (.refused(ENETDOWN), true),
        (.refused(EADDRNOTAVAIL), true), (.refused(ECONNREFUSED), false), (.refused(ETIMEDOUT), false),
        (.refused(EMFILE), false), (.nameNotFound("Name or service not known"), true),
        (.timedOut("looking up a.example"), false), (.forbidden("why"), false), (.proxy("why"), false),
    ])
    func failureReportsWhetherThisMachineMightBeOffline(_ failure: Connector.Failure, _ isUnreachable: Bool) {
        #expect(failure.isUnreachable == isUnreachable)
    }

    // MARK: Policy

    @Test func metadataAddressIsRefusedWithoutASocket() async throws {
        let names = FakeNames(["rebound.example": ["169.254.169.254", "::ffff:169.254.169.254"]])
        await withLoops { loops in
            let connect = Connecting(loop: loops[0], resolver: names.resolver())
            guard case .forbidden(let reason)? = await connect(.host("rebound.example", port: 80)).failure else {
                Issue.record("it was not refused by the policy")
                return
            }
            #expect(reason.contains("169.254.169.254") && reason.contains("metadata"))
            // The resolver has cached the answer, so the refusal comes within the call, in which no connection attempt
            // can end.
            for host in ["rebound.example", "169.254.169.254", "fd00:ec2::254"] {
                guard case .forbidden? = await connect.atOnce(.host(host, port: 80))?.failure else {
                    Issue.record("\(host) was not refused at once")
                    return
                }
            }
        }
    }

    @Test func forbiddenAddressesAreSkipped() async throws {
        let listener = try ListeningSocket("127.0.0.1")
        let names = FakeNames(["mixed.example": ["169.254.169.254", "127.0.0.1"]])
        await withLoops { loops in
            let connect = Connecting(loop: loops[0], resolver: names.resolver())
            #expect(await connect(.host("mixed.example", port: listener.port)).socket?.remoteIP == "127.0.0.1")
        }
    }

    @Test func nameOfAPrivateAddressNeedsItsSetting() async throws {
        let listener = try ListeningSocket("127.0.0.1")
        let names = FakeNames(["outside.example": ["127.0.0.1"]])
        await withLoops { loops in
            var connect = Connecting(loop: loops[0], resolver: names.resolver())
            connect.policy = AddressPolicy(allowsPrivate: false)
            guard case .forbidden(let reason)? = await connect(.host("outside.example", port: listener.port)).failure
            else {
                Issue.record("a foreign name led to this machine")
                return
            }
            #expect(reason.contains("`allow_private: true`"))
            #expect(await connect(.host("localhost", port: listener.port)).socket != nil)
            #expect(await connect(.host("127.0.0.1", port: listener.port)).socket != nil)
            connect.policy = AddressPolicy(allowsPrivate: true)
            #expect(await connect(.host("outside.example", port: listener.port)).socket != nil)
        }
    }

    // MARK: Other targets

    @Test func localhostIsReachedOverIPv6IfOnlyThatListens() async throws {
        let (listener, reserved) = try ListeningSocket.onlyIPv6()
        defer { close(reserved) }
        await withLoops { loops in
            let connect = Connecting(loop: loops[0], policy: AddressPolicy(allowsPrivate: false))
            #expect(await connect(.host("localhost", port: listener.port)).socket?.remoteIP == "::1")
        }
    }

    @Test func missingUnixSocket() async {
        await withLoops { loops in
            let connect = Connecting(loop: loops[0])
            #expect(await connect(.unix(path: "/nonexistent/socket")).failure == .refused(ENOENT))
            let long = "/" + String(repeating: "a", count: 200)
            #expect(await connect(.unix(path: long)).failure == .refused(ENAMETOOLONG))
        }
    }

    @Test func connectorWithoutResolverReachesAddresses() async throws {
        let listener = try ListeningSocket("127.0.0.1")
        let port = listener.port
        await withLoops { loops in
            let loop = loops[0]
            let outcome: Connecting.Outcome = await withUnsafeContinuation { continuation in
                loop.execute {
                    let connector = Connector(loop: loop)
                    connector.connect(to: .tcp(ip: "127.0.0.1", port: port), timeout: .seconds(30)) { result in
                        withExtendedLifetime(connector) {
                            continuation.resume(returning: result.map { ConnectedSocket($0) })
                        }
                    }
                }
            }
            #expect(outcome.socket != nil)
        }
        withExtendedLifetime(listener) {}
    }

    // MARK: Cancelling

    @Test(arguments: ["stuck.example", "silent.example", "proxied.example"])
    func cancellationInAnyStageIsSilent(_ host: String) async throws {
        let silent = try ListeningSocket("127.0.0.2", backlog: 0)
        let hole = BlackHole(silent, ip: "127.0.0.2")
        // The kernel accepts connections for this listening socket, which never responds.
        let mute = try ListeningSocket("127.0.0.1")
        let latch = Latch()
        let names = FakeNames(["silent.example": ["127.0.0.2"]], stuck: ["stuck.example": latch])
        let resolver = names.resolver()
        let proxy = host == "proxied.example" ? Proxy(host: "127.0.0.1", port: mute.port) : nil
        let port = silent.port
        let told = Locked(0)
        await withLoops { loops in
            let loop = loops[0]
            var same = Connecting(loop: loop, resolver: resolver, proxy: proxy)
            var toldBefore = 1
            // This repeats if the machine was so busy that the deadline passed before the cancellation.
            while toldBefore != 0 {
                told.withLock { $0 = 0 }
                let connector = await loop.callback {
                    let connector = Connector(
                        loop: loop, resolver: resolver, policy: AddressPolicy(allowsPrivate: true), proxy: proxy)
                    connector.connect(to: .host(host, port: port), timeout: .milliseconds(300)) { _ in
                        told.withLock { $0 += 1 }
                    }
                    return LoopBound(OnLoop(connector), on: loop)
                }
                // A second connector ends by its deadline. By then, the first one has reached its last possible stage.
                same.timeout = .milliseconds(50)
                let outcome = await same(.host(host, port: port))
                guard case .timedOut? = outcome.failure else {
                    Issue.record("\(outcome) where nothing answers")
                    break
                }
                toldBefore = await loop.callback {
                    connector.value.take()?.cancel()
                    return told.withLock { $0 }
                }
            }
            // The lookup of the name ends now, and the time of the deadline passes.
            latch.open()
            same.timeout = .milliseconds(300)
            _ = await same(.host("127.0.0.2", port: port))
        }
        #expect(told.withLock { $0 } == 0)
        withExtendedLifetime((hole, mute)) {}
    }
}

/// Holds a value of a loop, which the test releases on that loop.
private final class OnLoop<Value> {
    private var value: Value?

    init(_ value: Value) { self.value = value }

    func take() -> Value? {
        defer { value = nil }
        return value
    }
}

/// Counts the ticks of a timer that is due every 10 ms.
private final class Ticking {
    private var timer: LoopTimer?
    private var count = 0

    init(_ loop: EventLoop) {
        let timer = LoopTimer(loop: loop) { [unowned self] in tick() }
        self.timer = timer
        timer.schedule(after: .milliseconds(10))
    }

    private func tick() {
        count += 1
        timer?.schedule(after: .milliseconds(10))
    }

    func stop() -> Int {
        timer = nil
        return count
    }
}
