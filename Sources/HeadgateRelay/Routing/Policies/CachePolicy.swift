internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// The policy for caching the responses of one model.
package struct CachePolicy: Sendable {
    /// Lifetime of a cached response, in nanoseconds.
    package let ttl: Int64
    package let isShared: Bool
    package let takesAnyTemperature: Bool
    package let isPaced: Bool
    /// Maximum bytes of all cached responses.
    package let memory: Int
    /// The parts of each target's configuration that affect its responses.
    package let targets: [CachedTarget]

    init?(_ configuration: CacheConfiguration?, memory: Int, targets: [CachedTarget]) {
        guard let configuration else { return nil }
        ttl = Int64(clamping: configuration.ttl.wholeNanoseconds)
        isShared = configuration.isShared
        takesAnyTemperature = configuration.takesAnyTemperature
        isPaced = configuration.replay == .paced
        self.memory = memory
        self.targets = targets
    }

    /// Maximum bytes of one cached response.
    package var limit: Int { memory / 8 }
}

/// The configuration values of a target that affect its responses. A reload that changes one of them invalidates the
/// responses cached for the target.
package struct CachedTarget: Sendable {
    /// The upstream's name for the model; nil to send the public name.
    private let model: String?
    private let parts: [String]

    init(_ upstream: UpstreamConfiguration, _ target: TargetConfiguration) {
        model = target.model
        let rules = target.parameters
        var parts = [
            upstream.name, upstream.kind.rawValue, upstream.baseURL?.description ?? "", upstream.apiVersion ?? "",
        ]
        parts += CachedTarget.counted(upstream.speaks.map(\.rawValue))
        parts.append(upstream.systemMessages?.rawValue ?? "")
        parts += CachedTarget.counted(upstream.headers.flatMap { [$0.name, $0.value] })
        parts += CachedTarget.counted(upstream.removedHeaders)
        parts += CachedTarget.counted(rules.defaults.flatMap(CachedTarget.texts))
        parts += CachedTarget.counted(rules.overrides.flatMap(CachedTarget.texts))
        parts += CachedTarget.counted(rules.strip)
        // At the same address, another program can run, or the program can serve another model.
        let command = upstream.command
        parts += CachedTarget.counted(command?.arguments ?? [])
        parts.append(
            CachedTarget.digest(command?.environment.flatMap { [$0.name, $0.value.reveal()] } ?? []))
        let proxy = upstream.proxy
        parts += [proxy?.host ?? "", "\(proxy?.port ?? 0)"]
        parts.append(CachedTarget.digest(proxy?.credential.map { [$0.reveal()] } ?? []))
        self.parts = parts
    }

    /// Hashes texts that can contain secrets.
    private static func digest(_ texts: [String]) -> String {
        KeyDigest(of: texts.flatMap { "\($0.utf8.count) \($0)".utf8 }).hexadecimal
    }

    private static func counted(_ texts: [String]) -> [String] { ["\(texts.count)"] + texts }

    private static func texts(_ parameter: ParameterRules.Parameter) -> [String] {
        [parameter.name, String(decoding: parameter.json, as: UTF8.self)]
    }

    /// Returns all values as texts, to be part of a cache key.
    ///
    /// - Parameter model: the public name of the model.
    package func texts(for model: String) -> [String] { parts + [self.model ?? model] }
}
