import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite("A listener for Ollama's apps")
struct ListenerResponderTests {
    private let doors: ListenerResponder
    private let running = DialectGateway(openAI: .answer("Hi")).running

    init() {
        let ollama = Gateway(
            snapshot: running.gateway.snapshot, routes: .ollama, realtime: { InProcessGateway.now })
        doors = ListenerResponder(running.gateway, others: [.ollama: ollama])
    }

    private func metadata(_ tag: UInt8) -> ServerRequestMetadata {
        ServerRequestMetadata(
            connection: ConnectionEnds(
                local: LocalEnd(address: "127.0.0.1", port: 8686, tag: tag), remoteAddress: "127.0.0.9"),
            bodyLength: .fixed(0), context: doors.makeContext { 0 })
    }

    private func get(
        _ path: String, tag: UInt8 = RouteSelection.ollama.rawValue, key: String? = nil
    ) async -> (Int, String) {
        var fields: HTTPFields = [:]
        if let key { fields[.authorization] = "Bearer \(key)" }
        let head = RequestHead(
            HTTPRequest(
                method: .get, scheme: "http", authority: "127.0.0.1:8686", path: path, headerFields: fields))
        // The lock orders the callback before the code below: ThreadSanitizer does not see that a continuation does, if
        // it is resumed before its task waits.
        let answer = Locked((0, ""))
        await withCheckedContinuation { continuation in
            doors.respond(to: head, body: nil, metadata: metadata(tag)) { response in
                var text = ""
                if case .bytes(let bytes)? = response.body { text = String(decoding: bytes, as: UTF8.self) }
                answer.withLock { $0 = (response.head.status, text) }
                continuation.resume()
            }
        }
        return answer.withLock { $0 }
    }

    @Test("has only Ollama's routes and its OpenAI routes")
    func routes() async {
        #expect(await get("/") == (200, "Ollama is running"))
        #expect(await get("/api/version").0 == 200)
        #expect(await get("/api/tags").0 == 401)
        #expect(await get("/v1/models", key: InProcessGateway.clientKey).0 == 200)
        for path in ["/livez", "/status", "/models", "/docs", "/api", "/v2/models"] {
            let (status, text) = await get(path)
            #expect(status == 404 && text.contains("Ollama's API"))
        }
    }

    @Test("does not affect other listeners")
    func others() async {
        #expect(await get("/", tag: 0).1 != "Ollama is running")
        #expect(await get("/livez", tag: 0) == (200, #"{"status":"ok"}"#))
        #expect(await get("/nowhere", tag: 0).1.contains("headgate routes"))
    }

    @Test("refuses invalid requests in its own format")
    func refusals() {
        func text(_ tag: UInt8) -> String {
            let response = doors.refuse(.atConnectionLimit, metadata: metadata(tag))
            guard case .bytes(let bytes)? = response.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(text(RouteSelection.ollama.rawValue).hasPrefix(#"{"error":""#))
        #expect(text(0).hasPrefix(#"{"error":{"#))
    }
}
