import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateService
import HeadgateTerminal

/// Check of a shared Redis server, for `headgate check --live`.
struct RedisCheck {
    struct Finding {
        let key: String
        let works: Bool
        let words: String

        var line: String { "\(key): \(works ? "" : "FAILED: ")\(words)" }
    }

    let location: RedisLocation
    let key: String
    let purpose: String

    /// Returns the checks for all servers in a configuration.
    static func all(of configuration: Configuration) -> [RedisCheck] {
        var checks: [RedisCheck] = []
        if case .redis(let location) = configuration.counters {
            checks.append(RedisCheck(location: location, key: "counters", purpose: "counts limits"))
        }
        if let location = configuration.usedCacheServer {
            checks.append(RedisCheck(location: location, key: "cache", purpose: "keeps answers"))
        }
        return checks
    }

    /// Checks the server and waits for the result.
    ///
    /// - Throws: ``Complaint`` if TLS cannot be used.
    func finding() throws -> Finding {
        let group = try EventLoopGroup(starting: 1)
        defer { group.stop() }
        let found = try RedisProbe(location, for: key, purpose: purpose).ask(on: group.loops[0])
        return Finding(key: key, works: found.works, words: Neutralised.line(found.words))
    }
}
