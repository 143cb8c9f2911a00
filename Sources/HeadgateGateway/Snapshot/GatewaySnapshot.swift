package import HeadgateConfiguration

/// The configuration as requests see it: compiled, immutable, swapped as a whole.
package struct GatewaySnapshot: Sendable {
    let models: ModelTable
    let keys: ClientKeys
    let bodyLimit: Int

    /// - Parameters:
    ///   - models: every `upstream` names one of the definitions; others are left out.
    ///   - keys: empty makes the gateway keyless.
    package init(
        upstreams: [UpstreamDefinition], models: [ModelConfiguration], keys: [KeyConfiguration],
        limits: LimitsConfiguration
    ) {
        let byName = Dictionary(upstreams.map { ($0.name, Upstream($0)) }) { first, _ in first }
        var table = ModelTable()
        for model in models {
            guard let upstream = byName[model.upstream] else { continue }
            table.add(model.name, ModelTable.Target(upstream: upstream, model: model.model))
        }
        self.models = table
        self.keys = ClientKeys(keys)
        bodyLimit = limits.body
    }

    /// The public model names that can be listed.
    package var modelNames: [String] { models.names }
}
