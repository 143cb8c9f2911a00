import HeadgateApps
import HeadgateConfiguration
import HeadgatePrimitives
import HeadgateService
import HeadgateTerminal

/// Chooses the model for an app from the gateway's models.
struct ModelChoice {
    struct Result {
        let name: String
        /// Context size in tokens; nil if it is unknown.
        let context: Int?
    }

    /// Configuration of the gateway; nil if only a running gateway knows its models.
    private let configuration: Configuration?
    /// Models that the running gateway lists; nil if none runs.
    private let listed: [GatewayModel]?

    /// Context size of the on-device model, in tokens.
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

    /// - Parameter name: Model that the user named; nil to choose one.
    /// - Throws: ``Complaint`` if the gateway does not have the model, or if no model can be chosen.
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
            // An upstream that lists its models would include this one.
            return !(listed ?? []).contains { $0.firstUpstream == model.targets.first?.upstream }
        }
    }

    private func unknown(_ name: String) -> Complaint {
        let names = listed?.map(\.id) ?? configuration?.models.map(\.name) ?? []
        let shown = names.prefix(12).map(Neutralised.line).joined(separator: ", ")
        let more = names.count > 12 ? " and \(names.count - 12) more; 'headgate models' lists all" : ""
        return Complaint("the gateway has no model '\(Neutralised.line(name))'. It has \(shown)\(more)")
    }

    /// Returns whether a model can chat, judged by its name.
    private static func mayChat(_ name: String) -> Bool {
        let others = [
            "audio", "babbage", "dall-e", "davinci", "embed", "image", "moderation", "realtime", "rerank", "sora",
            "speech", "transcribe", "tts", "whisper",
        ]
        let name = name.lowercased()
        return !others.contains { name.contains($0) }
    }
}
