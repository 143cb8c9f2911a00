package import HeadgateConfiguration
internal import HeadgatePrimitives

/// What is kept of one model's answers, and where.
package struct CachePolicy: Sendable {
    /// Nanoseconds.
    package let ttl: Int64
    package let isShared: Bool
    package let takesAnyTemperature: Bool
    package let isPaced: Bool
    /// Octets of all answers that are kept.
    package let memory: Int
    /// What is made of requests on their way, by target.
    package let targets: [CachedTarget]

    package init?(_ configuration: CacheConfiguration?, memory: Int, targets: [CachedTarget]) {
        guard let configuration else { return nil }
        ttl = Int64(clamping: configuration.ttl.wholeNanoseconds)
        isShared = configuration.isShared
        takesAnyTemperature = configuration.takesAnyTemperature
        isPaced = configuration.replay == .paced
        self.memory = memory
        self.targets = targets
    }

    /// Octets of one answer.
    package var limit: Int { memory / 8 }
}

/// What decides besides the request itself what a target answers: a reload that changes it makes another target of it.
package struct CachedTarget: Sendable {
    /// The upstream's name for the model; nil for the public one.
    private let model: String?
    private let parts: [String]

    package init(_ upstream: UpstreamConfiguration, _ target: TargetConfiguration) {
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
        // It may be another program, or serve another model, at the same address.
        let command = upstream.command
        parts += CachedTarget.counted(command?.arguments ?? [])
        parts.append(
            CachedTarget.digest(command?.environment.flatMap { [$0.name, $0.value.reveal()] } ?? []))
        let proxy = upstream.proxy
        parts += [proxy?.host ?? "", "\(proxy?.port ?? 0)"]
        parts.append(CachedTarget.digest(proxy?.credential.map { [$0.reveal()] } ?? []))
        self.parts = parts
    }

    /// Of texts that may be secrets.
    private static func digest(_ texts: [String]) -> String {
        KeyDigest(of: texts.flatMap { "\($0.utf8.count) \($0)".utf8 }).hexadecimal
    }

    private static func counted(_ texts: [String]) -> [String] { ["\(texts.count)"] + texts }

    private static func texts(_ parameter: ParameterRules.Parameter) -> [String] {
        [parameter.name, String(decoding: parameter.json, as: UTF8.self)]
    }

    /// - Parameter model: the public name.
    package func texts(for model: String) -> [String] { parts + [self.model ?? model] }
}
