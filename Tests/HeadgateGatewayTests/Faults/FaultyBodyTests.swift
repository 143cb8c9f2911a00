import HeadgateFaults
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct FaultyBodyTests {
    @Test func sourceContinuesAfterTheSinkPausedDuringTheLastPiece() throws {
        let (source, client) = (ManualBody(), CollectedBody())
        let metadata = InProcessMetadata(
            connection: ConnectionEnds(localAddress: "", localPort: 0, remoteAddress: ""), bodyLength: .fixed(0),
            context: RequestRecord { 0 })
        let body = FaultyBody(source, Fault(), silence: nil, metadata)
        body.start(client)
        body.pause()
        source.send(String(repeating: "a", count: 100_000))
        #expect(client.text.isEmpty)
        client.onPiece = { [unowned body] _ in body.pause() }
        body.resume()
        #expect(client.text.count == 100_000)
        client.onPiece = nil
        let before = source.calls.count
        body.resume()
        #expect(source.calls[before...] == ["resume"])
        source.send("b")
        source.finish()
        #expect(client.text.hasSuffix("ab") && client.ends == ["complete"])
    }
}
