internal import HeadgateHTTP

/// Body of a local server's response. The server stays in use until the body ends, however that happens.
final class CountedBody: BodyStage {
    private var server: (any AwaitedServer)?

    init(_ source: any BodySource, server: any AwaitedServer) {
        self.server = server
        super.init(source)
    }

    deinit { server?.leave() }

    override func ended() {
        server?.leave()
        server = nil
    }
}
