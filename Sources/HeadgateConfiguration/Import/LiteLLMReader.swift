internal import HeadgatePrimitives

/// Reads LiteLLM's `config.yaml`, and notes all settings that have no counterpart here.
struct LiteLLMReader {
    let root: YAMLNode
    private(set) var notes: IssueList

    let environment: [String: String]
    /// Returns the digest that identifies a key.
    let digest: (_ key: String) -> String?

    init(
        _ root: YAMLNode, notes: IssueList, environment: [String: String], digest: @escaping (_ key: String) -> String?
    ) {
        (self.root, self.notes, self.environment, self.digest) = (root, notes, environment, digest)
    }

    /// Digest of the key that every client presents; nil if there is none.
    var masterKey: String?

    /// Positions of plain secrets, by secret.
    var secretPositions: [String: SourcePosition] = [:]

    /// Number of entries of `model_list` that are not served.
    private(set) var leftOut = 0

    mutating func note(_ message: String, _ position: SourcePosition) { notes.add(message, at: position) }

    mutating func noteLeftOut(_ place: String, _ why: String, _ position: SourcePosition) {
        note("\(place) is left out: \(why)", position)
        leftOut += 1
    }

    mutating func read() -> ImportedConfiguration {
        let deployments = root["model_list"]?.items.compactMap { deployment($0) } ?? []
        if root["model_list"] == nil { note("there is no model_list, and so nothing to serve", root.position) }
        let routing = routing()
        let groups = groups(of: deployments)
        var configuration = ImportedConfiguration(breaker: routing.breaker)
        let aliases = aliases(routing, of: groups)
        for group in groups {
            var model = self.model(group, among: groups, routing, &configuration)
            let others = aliases[ExactText(group.name), default: []]
            // Dividing by the largest count ensures that no limit is exceeded.
            let names = others.count + (group.deployments.map(\.names.count).max() ?? 1)
            if names > 1, model.divideLimits(by: names) {
                note(
                    "model \(quoted(group.name)): its limits, which are divided by its \(names) names, as each name "
                        + "counts by itself here: move them to the clients' keys or groups",
                    group.deployments[0].position)
            }
            configuration.models.append(model)
            configuration.models += others.map(model.named)
        }
        noteFallbacksOfNobody(routing, groups)
        noteSections()
        configuration.clientKey = masterKey
        return configuration
    }

    /// Returns the aliases of each model.
    private mutating func aliases(_ routing: LiteLLMRouting, of groups: [LiteLLMGroup]) -> [ExactText: [String]] {
        var taken = Set(groups.map { ExactText($0.name) })
        var aliases: [ExactText: [String]] = [:]
        for (alias, name, position) in routing.aliases {
            if !groups.contains(where: { $0.name.isExactly(name) }) {
                note(
                    "model_group_alias \(quoted(alias)): there is no model \(quoted(name)); name one that there is",
                    position)
            } else if !taken.insert(ExactText(alias)).inserted {
                note("model_group_alias \(quoted(alias)): a model has that name: choose another one", position)
            } else if (try? Name.checkModelPattern(alias)) == nil || alias.contains("*") {
                note("model_group_alias \(quoted(alias)): no name of one model: choose another one", position)
            } else {
                aliases[ExactText(name), default: []].append(alias)
            }
        }
        return aliases
    }

    /// Returns the credentials named by `litellm_credential_name`.
    mutating func credentials(of params: YAMLNode) -> YAMLNode? {
        guard let node = params["litellm_credential_name"], let name = node.text else { return nil }
        let found = root["credential_list"]?.items.first { $0["credential_name"]?.text == name }?["credential_values"]
        if found == nil {
            note("litellm_credential_name: credential_list has no \(quoted(name)); write the api_key", node.position)
        }
        return found
    }

    /// Returns the deployments of each public name, in the order of the file.
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
    /// Deployments; never empty.
    var deployments: [LiteLLMDeployment]
}
