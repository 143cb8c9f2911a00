import HeadgateApps
import HeadgateConfiguration
import HeadgatePrimitives
import HeadgateService
import HeadgateTerminal

/// The model that an app is set to: one that the gateway has.
struct ModelChoice {
    struct Result {
        let name: String
        /// Its context size; nil if that is not known.
        let context: Int?
    }

    /// Nil if only a running gateway knows its models.
    private let configuration: Configuration?
    /// Nil if no gateway runs.
    private let listed: [GatewayModel]?

    /// Tokens of the model on this device.
    private static let contextOnDevice = 4096

    /// - Throws: ``Complaint``.
    init(_ options: GatewayOptions, _ environment: [String: String]) throws {
        let isNamed = try options.chosenURL(environment) != nil
        configuration = isNamed ? nil : try options.configuration.source.loadWithoutSecrets()
        do {
            listed = try ReachableGateway.modelsOfRunning(options, configuration, within: .seconds(5)) {
                complain("headgate: \($0)")
            }
        } catch let complaint as Complaint where !isNamed {
            complain("headgate: the running gateway lists no models (\(complaint.message)); using the configuration's")
            listed = nil
        }
    }

    /// - Parameter name: the model that the user named; nil chooses one.
    /// - Throws: ``Complaint`` if the gateway has no such model, or none by name.
    func choose(_ name: String?, for app: KnownApp) throws -> Result {
        if let name {
            guard serves(name) else { throw unknown(name) }
            return result(name)
        }
        let named = (configuration?.models ?? []).filter { !$0.isPattern }.map(\.name)
        let candidates = (named.isEmpty ? (listed ?? []).map(\.id) : named).filter(ModelChoice.mayChat)
        let preferred = candidates.first { name in app.preferredModels.contains { name.hasPrefix($0) } }
        guard let chosen = preferred ?? candidates.first else {
            let reason =
                listed == nil
                ? "the configuration names no model, and no gateway runs that lists any: start it, or"
                : "neither the gateway nor its upstreams list a model by name:"
            throw Complaint("\(reason) choose one with --model NAME")
        }
        return result(chosen)
    }

    private func result(_ name: String) -> Result {
        let model = configuration?.models.first { $0.name.isExactly(name) }
        let upstream = configuration?.upstreams.first { $0.name == model?.targets.first?.upstream }
        guard upstream?.kind == .onDevice else {
            return Result(name: name, context: listed?.first { $0.id.isExactly(name) }?.contextLength)
        }
        guard upstream?.deviceModel == nil else { return Result(name: name, context: ModelChoice.contextOnDevice) }
        complain(
            "headgate: \(name) is the model on this device: tiny and English-only (\(ModelChoice.contextOnDevice)-token "
                + "context, no tools); use it to try things out")
        return Result(name: name, context: ModelChoice.contextOnDevice)
    }

    private func serves(_ name: String) -> Bool {
        if let listed, listed.contains(where: { $0.id.isExactly(name) }) { return true }
        guard let configuration else { return false }
        return configuration.models.contains { model in
            guard model.isPattern else { return model.name.isExactly(name) }
            guard name.utf8.starts(with: model.name.utf8.dropLast()) else { return false }
            // An upstream that lists its models would list this one.
            return !(listed ?? []).contains { $0.firstUpstream == model.targets.first?.upstream }
        }
    }

    private func unknown(_ name: String) -> Complaint {
        let names = listed?.map(\.id) ?? configuration?.models.map(\.name) ?? []
        let shown = names.prefix(12).map(Neutralised.line).joined(separator: ", ")
        let more = names.count > 12 ? " and \(names.count - 12) more; 'headgate models' lists all" : ""
        return Complaint("the gateway has no model '\(Neutralised.line(name))'. It has \(shown)\(more)")
    }

    /// Whether the name is not that of a model for something else.
    private static func mayChat(_ name: String) -> Bool {
        let others = [
            "audio", "babbage", "dall-e", "davinci", "embed", "image", "moderation", "realtime", "rerank", "sora",
            "speech", "transcribe", "tts", "whisper",
        ]
        let name = name.lowercased()
        return !others.contains { name.contains($0) }
    }
}
