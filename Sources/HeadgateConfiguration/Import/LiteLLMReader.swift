internal import HeadgatePrimitives

/// Reads LiteLLM's `config.yaml`, and notes everything of it that has no counterpart here.
struct LiteLLMReader {
    let root: YAMLNode
    private(set) var notes: IssueList

    init(_ root: YAMLNode, notes: IssueList) {
        (self.root, self.notes) = (root, notes)
    }

    /// Where secrets stand in the clear, by what they are.
    var secretPositions: [String: SourcePosition] = [:]

    mutating func note(_ message: String, _ position: SourcePosition) { notes.add(message, at: position) }

    mutating func read() -> ImportedConfiguration {
        let deployments = root["model_list"]?.items.compactMap { deployment($0) } ?? []
        if root["model_list"] == nil { note("there is no model_list, and so nothing to serve", root.position) }
        let routing = routing()
        let groups = groups(of: deployments)
        var configuration = ImportedConfiguration(breaker: routing.breaker)
        for group in groups {
            let model = self.model(group, among: groups, routing, &configuration)
            configuration.models.append(model)
        }
        for (alias, name, position) in routing.aliases {
            guard let model = configuration.models.first(where: { $0.name.isExactly(name) }) else {
                note("model_group_alias \(quoted(alias)): there is no model \(quoted(name))", position)
                continue
            }
            guard !configuration.models.contains(where: { $0.name.isExactly(alias) }) else { continue }
            configuration.models.append(model.named(alias))
        }
        noteSections()
        return configuration
    }

    /// What `litellm_credential_name` stands for.
    func credentials(of params: YAMLNode) -> YAMLNode? {
        guard let name = params["litellm_credential_name"]?.text else { return nil }
        return root["credential_list"]?.items.first { $0["credential_name"]?.text == name }?["credential_values"]
    }

    /// Deployments of one public name, in the order of the file.
    private func groups(of deployments: [LiteLLMDeployment]) -> [LiteLLMGroup] {
        var groups: [LiteLLMGroup] = []
        var places: [ExactText: Int] = [:]
        for deployment in deployments {
            for name in deployment.names {
                if let place = places[ExactText(name)] {
                    groups[place].deployments.append(deployment)
                } else {
                    places[ExactText(name)] = groups.count
                    groups.append(LiteLLMGroup(name: name, deployments: [deployment]))
                }
            }
        }
        return groups
    }
}

struct LiteLLMGroup {
    let name: String
    /// At least one.
    var deployments: [LiteLLMDeployment]
}
