import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateUpstream

@Suite struct KeyedTransportTests {
    /// A transport that accepts one key and records all received keys.
    private final class Gate: RelayTransport {
        let accepted: String
        let seen = Locked<[String]>([])

        init(accepting key: String) { accepted = key }

        func send(
            _ request: UpstreamRequest, to _: BaseURL, completion: @escaping UpstreamCompletion
        ) -> (any Cancellable)? {
            let key = request.wholeHead.headerFields[.authorization] ?? ""
            seen.withLock { $0.append(key) }
            let status: HTTPResponse.Status = key == accepted ? .ok : .unauthorized
            completion(
                .success(UpstreamResponse(received: ResponseHead(HTTPResponse(status: status)), .bytes([0x61]))))
            return nil
        }
    }

    private static let baseURL = BaseURL(endpoint: .tcp(host: "127.0.0.1", port: 9), pathPrefix: "/v1")

    private static func request(streamed: Bool) -> UpstreamRequest {
        let head = OutgoingHead(HTTPRequest(method: .post, scheme: nil, authority: "localhost", path: "/v1/x"))
        return streamed
            ? UpstreamRequest(head, streaming: StreamedBody(OpenBody(), length: nil), operationID: "x")
            : UpstreamRequest(head, body: [0x62], operationID: "x")
    }

    /// Sends requests in sequence with a shell script as key command, and returns their status codes.
    private func statuses(
        _ script: String, _ gate: Gate, longestWait: Duration = .seconds(60), streamed: Bool = false, requests: Int = 1
    ) async throws -> [Int] {
        let group = EventLoopGroup(count: 2)
        defer { group.stop() }
        let command = KeyCommand(
            KeyCommandConfiguration(arguments: ["sh", "-c", script], timeout: .seconds(60)), of: "up",
            loop: group.loops[0], environment: ["PATH": "/usr/bin:/bin"]
        ) { _ in }
        let transport = KeyedTransport(command, longestWait: longestWait, transport: gate) { key, request in
            request.append(HTTPField(name: .authorization, value: key.reveal()))
        }
        let result = await Task(executorPreference: group.loops[1]) {
            var statuses: [Int] = []
            for _ in 0..<requests {
                let response = try await transport.send(Self.request(streamed: streamed), to: Self.baseURL)
                statuses.append(response.head.status)
            }
            return statuses
        }.result
        await withCheckedContinuation { continuation in command.stop { continuation.resume() } }
        return try result.get()
    }

    /// Returns a script that prints the content of a file, which is `first` at the start.
    private func script(in folder: TemporaryFolder) throws -> String { "cat \(try folder.file("key", "first\n"))" }

    @Test func acceptedKeyIsSentOnce() async throws {
        let (folder, gate) = (try TemporaryFolder(), Gate(accepting: "first"))
        #expect(try await statuses(try script(in: folder), gate, requests: 2) == [200, 200])
        #expect(gate.seen.withLock { $0 } == ["first", "first"])
    }

    @Test func refusedRequestIsResentWithTheNewerKey() async throws {
        let (folder, gate) = (try TemporaryFolder(), Gate(accepting: "second"))
        let script = "\(try script(in: folder)); echo second > \(folder.path)/key"
        #expect(try await statuses(script, gate) == [200])
        #expect(gate.seen.withLock { $0 } == ["first", "second"])
    }

    @Test func refusalOfTheSameKeyIsFinal() async throws {
        let (folder, gate) = (try TemporaryFolder(), Gate(accepting: "other"))
        #expect(try await statuses(try script(in: folder), gate, requests: 2) == [401, 401])
        #expect(gate.seen.withLock { $0 } == ["first", "first"])
    }

    @Test func refusedNewKeyIsNotRetriedForever() async throws {
        let (folder, gate) = (try TemporaryFolder(), Gate(accepting: "other"))
        let script = "\(try script(in: folder)); date +%N > \(folder.path)/key"
        #expect(try await statuses(script, gate) == [401])
        #expect(gate.seen.withLock { $0.count } == 2)
    }

    @Test func refusalIsFinalIfTheKeyCannotBeRenewed() async throws {
        let (folder, gate) = (try TemporaryFolder(), Gate(accepting: "other"))
        let script = "\(try script(in: folder)) && rm \(folder.path)/key"
        #expect(try await statuses(script, gate) == [401])
        #expect(gate.seen.withLock { $0 } == ["first"])
    }

    @Test func streamedRequestIsNotSentAgain() async throws {
        let (folder, gate) = (try TemporaryFolder(), Gate(accepting: "second"))
        let script = "\(try script(in: folder)); echo second > \(folder.path)/key"
        #expect(try await statuses(script, gate, streamed: true) == [401])
        #expect(gate.seen.withLock { $0 } == ["first"])
    }

    @Test func requestWaitsNoLongerThanItsDeadline() async throws {
        let gate = Gate(accepting: "never")
        let error = await #expect(throws: TransportError.self) {
            try await statuses("exec sleep 1000", gate, longestWait: .milliseconds(50))
        }
        #expect(error == TransportError(.noKey, "the key command of the upstream 'up' has not finished yet"))
        #expect(gate.seen.withLock { $0 }.isEmpty)
    }
}
