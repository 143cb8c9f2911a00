internal import HTTPTypes
internal import HeadgateCassettes
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Maker of cassettes. It decides which parts of an exchange are written, and under which name.
struct CassetteMaker: Sendable {
    let mask: RecordingMask
    let keepsBodies: Bool
    /// Members of requests that matching ignores.
    let ignored: Set<String>

    func file(of exchange: RecordedExchange) -> CassetteFile {
        let request = exchange.request
        let digest = CassetteShelf.digest(
            of: RequestIdentity(
                method: request.method, route: request.route, body: request.body, contentType: request.contentType,
                ignoring: ignored))
        let (content, isBodyAsSent) = kept(request.body)
        let route = mask.text(request.route)
        let isAsSent = isBodyAsSent && route == request.route
        let model = request.body.flatMap(RequestIdentity.model).map { Cassette.shortened(mask.text($0)) }
        let time = Timestamp.text(exchange.began)
        let cassette = Cassette(
            recorded: time, operation: request.operation, model: model, route: route,
            digest: isAsSent ? nil : digest,
            request: Cassette.Request(
                method: request.method, path: mask.text(RecordedRoute.withoutCredentials(request.path)),
                fields: mask.fields(request.fields), body: content),
            response: response(of: exchange),
            end: Cassette.End(
                exchange.end.kind, milliseconds: exchange.end.milliseconds, detail: mask.text(exchange.end.detail)))
        return CassetteFile(name: CassetteMaker.name(time, request.operation, model, digest), cassette: cassette)
    }

    /// Returns the body as it is written, and whether the digest can be computed from it.
    private func kept(_ body: [UInt8]?) -> (Cassette.Content?, isAsSent: Bool) {
        guard var body else { return (nil, true) }
        guard keepsBodies else { return (.leftOut(body.count), false) }
        let isMasked = mask.hide(in: &body)
        return (.bytes(body), !isMasked)
    }

    private func response(of exchange: RecordedExchange) -> Cassette.Response? {
        guard let response = exchange.response else { return nil }
        var body = exchange.body
        if keepsBodies { mask.hide(in: &body) }
        var start = 0
        let chunks = exchange.cuts.map { cut in
            defer { start = cut.end }
            return Cassette.Chunk(
                milliseconds: cut.milliseconds,
                keepsBodies ? .bytes(Array(body[start..<cut.end])) : .leftOut(cut.end - start))
        }
        return Cassette.Response(
            status: response.status, framing: response.framing, milliseconds: response.milliseconds,
            fields: mask.fields(response.fields), chunks: chunks)
    }

    /// Maximum bytes of each part of a file name.
    private static let longestModel = 40

    /// Returns time, operation, model and the beginning of the digest, in characters that every file system takes.
    private static func name(_ time: String, _ operation: String, _ model: String?, _ digest: String) -> String {
        let parts = [
            time.replacing(":", with: ""), operation, model ?? "", String(digest.prefix(CassetteShelf.shortDigest)),
        ]
        return parts.filter { !$0.isEmpty }.map { part in
            String(
                decoding: part.utf8.prefix(longestModel).map { isSafe($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        }.joined(separator: "-") + CassetteFile.suffix
    }

    private static func isSafe(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
