/// Cache directives of a request that have a meaning here (RFC 9111 section 5.2.1).
struct CacheControl: Equatable {
    /// `no-store`: the cache is neither read nor written.
    var isOff = false
    /// `no-cache`: the cache is not read.
    var isFresh = false
    /// `max-age`, in seconds, at most 2^31.
    var maximumAge: Int?

    init(_ field: String?) {
        for part in (field ?? "").split(separator: ",") {
            let directive = part.lowercased().filter { $0 != " " && $0 != "\t" && $0 != "\"" }
            if directive == "no-store" { isOff = true }
            if directive == "no-cache" { isFresh = true }
            if directive.hasPrefix("max-age=") {
                // A value that is not a number counts as 0: a client that wanted a limit gets the strictest.
                maximumAge = Int(directive.dropFirst("max-age=".count)).map { min(max($0, 0), 1 << 31) } ?? 0
            }
        }
    }
}
