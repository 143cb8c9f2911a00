import HeadgateHTTP
import Testing

@Suite struct ServerRequestMetadataTests {
    @Test func localEndIsWrittenAsInAHostField() {
        #expect(
            LocalEnd(address: "127.0.0.1", port: 80).authority
                == "127.0.0.1:80")
        #expect(LocalEnd(address: "::1", port: 8686).authority == "[::1]:8686")
    }

    @Test func nothingOfABodyIsAcceptedAtFirst() {
        let ends = ConnectionEnds(localAddress: "::1", localPort: 1, remoteAddress: "x")
        let metadata = ServerRequestMetadata(connection: ends, bodyLength: .chunked, context: NoContext())
        #expect(metadata.bodyLimit == 0)
    }
}
