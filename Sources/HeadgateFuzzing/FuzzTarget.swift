/// A part of the gateway that reads foreign data, as a function of arbitrary bytes.
package struct FuzzTarget: Sendable {
    /// The name of its folder in the corpora, and of the target in commands.
    package let name: String
    /// Runs the target.
    ///
    /// - Throws: ``FuzzFinding`` if a property does not hold. A trap is a finding as well.
    package let run: @Sendable (_ input: [UInt8]) throws(FuzzFinding) -> Void

    package static let all: [FuzzTarget] = [
        FuzzTarget(name: "request", run: HTTPFuzzing.requests),
        FuzzTarget(name: "response", run: HTTPFuzzing.responses),
        FuzzTarget(name: "chunked", run: HTTPFuzzing.chunks),
        FuzzTarget(name: "multipart", run: MultipartFuzzing.run),
        FuzzTarget(name: "sse", run: EventFuzzing.run),
        FuzzTarget(name: "json", run: JSONFuzzing.run),
        FuzzTarget(name: "envelope", run: EnvelopeFuzzing.run),
        FuzzTarget(name: "translate-request", run: TranslationFuzzing.requests),
        FuzzTarget(name: "translate-response", run: TranslationFuzzing.responses),
        FuzzTarget(name: "translate-stream", run: TranslationFuzzing.streams),
        FuzzTarget(name: "error", run: TextFuzzing.errors),
        FuzzTarget(name: "cassette", run: TextFuzzing.cassettes),
        FuzzTarget(name: "configuration", run: TextFuzzing.configurations),
        FuzzTarget(name: "litellm", run: TextFuzzing.imports),
        FuzzTarget(name: "generator", run: TextFuzzing.documents),
        FuzzTarget(name: "redis", run: StoreFuzzing.replies),
        FuzzTarget(name: "journal", run: StoreFuzzing.journals),
    ]
}

/// A property that does not hold.
package struct FuzzFinding: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    static func expect(_ holds: Bool, _ property: @autoclosure () -> String) throws(FuzzFinding) {
        if !holds { throw FuzzFinding(property()) }
    }
}

@c(headgate_fuzz_target)
package func fuzzTarget(_ name: UnsafePointer<CChar>) -> CInt {
    let name = String(cString: name)
    return FuzzTarget.all.firstIndex { $0.name == name }.map(CInt.init) ?? -1
}

@c(headgate_fuzz)
package func fuzz(_ target: CInt, _ bytes: UnsafePointer<UInt8>, _ count: Int) {
    do {
        try FuzzTarget.all[Int(target)].run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        fatalError(error.description)
    }
}
