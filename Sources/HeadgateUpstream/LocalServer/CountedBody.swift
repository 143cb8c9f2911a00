internal import HeadgateHTTP

/// The body of a response of a server on this machine, which is in use until it ends, whichever way.
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
