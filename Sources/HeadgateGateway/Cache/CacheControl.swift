/// What a request wants of a cache (RFC 9111 section 5.2.1): the directives that mean something here.
struct CacheControl: Equatable {
    /// `no-store`: neither read nor written.
    var isOff = false
    /// `no-cache`: not read.
    var isFresh = false
    /// `max-age`, in seconds, at most 2^31.
    var maximumAge: Int?

    init(_ field: String?) {
        for part in (field ?? "").split(separator: ",") {
            let directive = part.lowercased().filter { $0 != " " && $0 != "\t" && $0 != "\"" }
            if directive == "no-store" { isOff = true }
            if directive == "no-cache" { isFresh = true }
            if directive.hasPrefix("max-age=") {
                // What is no number is the strictest one: a client that wanted a limit gets one.
                maximumAge = Int(directive.dropFirst("max-age=".count)).map { min(max($0, 0), 1 << 31) } ?? 0
            }
        }
    }
}
