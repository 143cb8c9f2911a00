import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import Testing

@testable import HeadgateUpstream

/// Transfers over real sockets.
@Suite struct UpstreamTransferTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"

    @Test func connectionIsReusedAfterAWholeExchange() async throws {
        try await HandPlayedUpstream.run(playing: .init { $0.send(UpstreamTransferTests.answer) }) { upstream in
            for _ in 0..<3 { try await upstream.expectAnswer() }
            #expect(upstream.peers.map(\.requests) == [3])
        }
    }

    @Test func reusedConnectionUsesUpNoIdleBudget() async throws {
        // The smallest budget of a loop is four connections.
        try await HandPlayedUpstream.run(
            playing: .init { $0.send(UpstreamTransferTests.answer) }, maximumIdle: 1
        ) { upstream in
            for _ in 0..<6 { try await upstream.expectAnswer() }
            #expect(upstream.peers.map(\.requests) == [6])
        }
    }

    /// An unresolvable name can mean that this machine is offline; a refusal does not.
    @Test(arguments: [("nowhere.example", TransportError.Kind.unreachable), ("127.0.0.1", .connect)])
    func connectFailureReportsWhetherARouteExists(_ host: String, _ kind: TransportError.Kind) async throws {
        let resolver = NameResolver { _ in .failure(NameError("no such name")) }
        try await HandPlayedUpstream.run(playing: .init { _ in }, resolver: resolver) { upstream in
            // Port 1 has no listener.
            let error = await #expect(throws: TransportError.self) {
                _ = try await upstream.ask(at: host, port: 1)
            }
            #expect(error?.kind == kind)
        }
    }

    @Test(arguments: ["", forged]) func emptyResponseLeavesAConnectionUnlessBytesFollow(_ rest: String) async throws {
        try await HandPlayedUpstream.run(
            playing: .init { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" + rest) }
        ) { upstream in
            for _ in 0..<2 { try await upstream.expectAnswer("") }
            #expect(upstream.peers.map(\.requests) == (rest.isEmpty ? [2] : [1, 1]))
        }
    }

    @Test func bytesAfterAResponseAreNotTheNextOne() async throws {
        try await HandPlayedUpstream.run(
            playing: .init {
                $0.send(UpstreamTransferTests.answer + UpstreamTransferTests.forged)
            }
        ) { upstream in
            try await upstream.expectAnswer()
            await upstream.expectEnd(of: upstream.peers[0])
            try await upstream.expectAnswer()
            #expect(upstream.peers.map(\.requests) == [1, 1])
        }
    }

    /// A peer that keeps the connection would read the rest of the body as the next request.
    @Test(arguments: [200, 413])
    func answerToAHalfSentRequestEndsTheConnection(status: Int) async throws {
        try await HandPlayedUpstream.run(
            playing: .init { peer in
                if peer.index > 0 { return peer.send(UpstreamTransferTests.answer) }
                guard !peer.hasAnswered else { return }
                peer.stopReading()
                peer.send("HTTP/1.1 \(status) Early\r\nContent-Length: 2\r\n\r\nok")
            }
        ) { upstream in
            let early = try await upstream.ask(sending: [UInt8](repeating: 0x78, count: 16 << 20))
            #expect(early.head.status == status)
            let text = try await early.text()
            #expect(text == "ok")
            upstream.peers[0].startReading()
            await upstream.expectEnd(of: upstream.peers[0])
            try await upstream.expectAnswer()
            #expect(upstream.peers.count == 2)
        }
    }

    @Test func unsolicitedBytesCloseAnIdleConnection() async throws {
        try await HandPlayedUpstream.run(playing: .init { $0.send(UpstreamTransferTests.answer) }) { upstream in
            try await upstream.expectAnswer()
            upstream.peers[0].send(UpstreamTransferTests.forged)
            await upstream.expectEnd(of: upstream.peers[0])
            try await upstream.expectAnswer()
            #expect(upstream.peers.map(\.requests) == [1, 1])
        }
    }

    /// The request is still unsent when the forged response is read, because the loop learns of both in one wait.
    @Test func earlyPeerBytesAreNotTheResponse() async throws {
        try await HandPlayedUpstream.run(playing: .init { $0.send(UpstreamTransferTests.answer) }) { upstream in
            try await upstream.expectAnswer()
            let loop = upstream.loop
            let bound = LoopBound(upstream, on: loop)
            // The loop's own wake-up comes first, and then the connection's event.
            let asked = Task(executorPreference: loop) {
                await withUnsafeContinuation { continuation in
                    loop.execute { continuation.resume() }
                    bound.value.peers[0].sendAtOnce(UpstreamTransferTests.forged)
                }
                return try await bound.value.ask().text()
            }
            let text = try await asked.value
            #expect(text == "ok")
            #expect(upstream.peers.map(\.requests) == [1, 1])
        }
    }

    @Test func requestIsNotRepeatedOnceAByteHasArrived() async throws {
        try await HandPlayedUpstream.run(
            playing: .init { peer in
                if peer.requests < 2 { return peer.send(UpstreamTransferTests.answer) }
                peer.send("H")
                peer.endOutput()
            }
        ) { upstream in
            try await upstream.expectAnswer()
            let failure = await #expect(throws: TransportError.self) { _ = try await upstream.ask() }
            #expect(failure?.kind == .closedBeforeResponse)
            #expect(upstream.peers.map(\.requests) == [2])
        }
    }

    @Test func resetConnectionIsAFailure() async throws {
        try await HandPlayedUpstream.run(
            playing: .init { $0.reset() }, timeouts: TransferTimeouts(firstByte: .seconds(20))
        ) { upstream in
            let failure = await #expect(throws: TransportError.self) { _ = try await upstream.ask() }
            #expect(failure?.kind == .closedBeforeResponse)
        }
    }

    @Test func requestIsRepeatedOnceWhenAReusedConnectionDiesWithoutAnAnswer() async throws {
        try await HandPlayedUpstream.run(
            playing: .init { peer in
                if peer.requests == 1 { peer.send(UpstreamTransferTests.answer) } else { peer.endOutput() }
            }
        ) { upstream in
            try await upstream.expectAnswer()
            try await upstream.expectAnswer()
            #expect(upstream.peers.map(\.requests) == [2, 1])
        }
    }

    @Test func silenceRunsOnlyWhileTheClientReads() async throws {
        try await HandPlayedUpstream.run(
            playing: .init {
                $0.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nok")
            }
        ) { upstream in
            let answer = try await upstream.ask()
            let transfer = try #require(answer.transfer)
            let timer = try #require(transfer.connection?.timer)
            #expect(timer.isScheduled)
            transfer.pause()
            #expect(!timer.isScheduled)
            transfer.note(.content)
            #expect(!timer.isScheduled, "progress that was on its way begins no silence")
            transfer.resume()
            #expect(timer.isScheduled)
            upstream.peers[0].send("ok")
            let text = try await answer.text()
            #expect(text == "okok")
        }
    }

    @Test func silenceEndsTheBody() async throws {
        try await HandPlayedUpstream.run(
            playing: .init { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nok") },
            timeouts: TransferTimeouts(silence: .milliseconds(50))
        ) { upstream in
            let answer = try await upstream.ask()
            _ = await #expect(throws: TransportError(.silenceTimeout)) { try await answer.text() }
            await upstream.expectEnd(of: upstream.peers[0])
        }
    }

    @Test func largeBodyIsHeldBackUntilItsConsumerStarts() async throws {
        let size = 8 << 20
        let script = HandPlayedUpstream.Script {
            $0.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n" + String(repeating: "x", count: size))
        }
        try await HandPlayedUpstream.run(playing: script) { upstream in
            let answer = try await upstream.ask()
            let transfer = try #require(answer.transfer)
            let early = transfer.takeWhole()
            #expect(early == nil)
            let text = try await answer.text()
            #expect(text.utf8.count == size)
            try await upstream.expectAnswer(String(repeating: "x", count: size))
            #expect(upstream.peers.count == 1)
        }
    }

    @Test func wholeBodyCanBeTakenAtOnce() async throws {
        try await HandPlayedUpstream.run(playing: .init { $0.send(UpstreamTransferTests.answer) }) { upstream in
            let transfer = try #require(try await upstream.ask().transfer)
            let taken = [transfer.takeWhole(), transfer.takeWhole()]
            #expect(taken == [Array("ok".utf8), []])
        }
    }

    /// The rest has a second to arrive.
    @Test(arguments: [true, false]) func discardedRestLeavesAConnection(_ isPaused: Bool) async throws {
        try await HandPlayedUpstream.run(
            playing: .init { peer in
                peer.send(peer.hasAnswered ? Self.answer : "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nok")
            }
        ) { upstream in
            let transfer = try #require(try await upstream.ask().transfer)
            let connection = try #require(transfer.connection)
            if isPaused { transfer.pause() }
            transfer.discardRest()
            #expect(connection.timer.isScheduled)
            upstream.peers[0].send("ok")
            await upstream.wait(for: "the rest") { connection.isResting }
            try await upstream.expectAnswer()
            #expect(upstream.peers.count == 1)
        }
    }

    @Test func unknownContentCodingIsAFailure() async throws {
        try await HandPlayedUpstream.run(
            playing: .init { $0.send("HTTP/1.1 200 OK\r\nContent-Encoding: x\r\nContent-Length: 3\r\n\r\nok") }
        ) { upstream in
            let failure = await #expect(throws: TransportError.self) { _ = try await upstream.ask() }
            #expect(failure?.kind == .encoding)
            await upstream.expectEnd(of: upstream.peers[0])
        }
    }

    @Test func cancelledBodyEndsItsConnection() async throws {
        try await HandPlayedUpstream.run(
            playing: .init { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nok") }
        ) { upstream in
            let transfer = try #require(try await upstream.ask().transfer)
            transfer.cancel()
            await upstream.expectEnd(of: upstream.peers[0])
            #expect(transfer.connection == nil)
        }
    }

    @Test func idleConnectionExpires() async throws {
        try await HandPlayedUpstream.run(
            playing: .init {
                $0.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nok")
            }
        ) { upstream in
            let answer = try await upstream.ask()
            let connection = try #require(answer.transfer?.connection)
            upstream.peers[0].send("ok")
            _ = try await answer.text()
            #expect(connection.isResting && connection.timer.isScheduled)
            connection.channelDeadlinePassed()
            await upstream.expectEnd(of: upstream.peers[0])
            #expect(!connection.timer.isScheduled)
        }
    }

    /// A name is looked up on another thread, and meanwhile only the connection attempt retains the transfer.
    @Test func unreferencedRequestIsCompleted() async throws {
        let resolver = NameResolver(lookup: { _ in .success([IPAddress("127.0.0.1")].compactMap(\.self)) })
        try await HandPlayedUpstream.run(
            playing: .init { $0.send(UpstreamTransferTests.answer) }, resolver: resolver,
            access: UpstreamAccess(allowsPrivateAddresses: true)
        ) { upstream in
            let status = await upstream.askAndForget(host: "upstream.test")
            #expect(status == 200)
        }
    }
}
