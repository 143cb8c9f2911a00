import HeadgateHTTP
import Testing

@Suite struct ServerRequestMetadataTests {
    @Test func localEndStandsAsInAHostField() {
        #expect(
            ConnectionEnds(localAddress: "127.0.0.1", localPort: 80, remoteAddress: "x").localAuthority
                == "127.0.0.1:80")
        #expect(ConnectionEnds(localAddress: "::1", localPort: 8686, remoteAddress: "x").localAuthority == "[::1]:8686")
    }

    @Test func nothingOfABodyIsAcceptedAtFirst() {
        let ends = ConnectionEnds(localAddress: "::1", localPort: 1, remoteAddress: "x")
        #expect(
            ServerRequestMetadata(connection: ends, bodyLength: .chunked, record: RequestRecord { 0 }).bodyLimit == 0)
    }
}
