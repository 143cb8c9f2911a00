import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateService

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A model in a gateway's list.
struct GatewayModel: Decodable {
    let id: String
    private let ownedBy: String
    private let upstream: String?
    /// Maximum tokens of prompt and completion together; nil if no upstream reports it.
    let contextLength: Int?

    /// Name of the first upstream.
    var firstUpstream: String { upstream ?? ownedBy }
}

extension ReachableGateway {
    /// Sends a `GET` to a running gateway, and returns the body of the response. The gateway is the named one, or else
    /// one of the configuration. Must not be called on a loop.
    ///
    /// - Throws: ``Complaint``.
    static func answer(to path: String, _ options: GatewayOptions) throws -> [UInt8] {
        let group = try EventLoopGroup(starting: 1)
        defer { group.stop() }
        let probe = GatewayProbe(group: group, deadline: .now + .seconds(15))
        let environment = ProcessEnvironment.current
        let found =
            try named(options, environment)
            ?? running(
                try options.configuration.source.loadWithoutSecrets(), key: try options.givenKey(environment),
                environment, probe
            ) { complain("headgate: \($0)") }
        guard let found else {
            throw Complaint(
                "no gateway runs that could be asked: start one with 'headgate serve', or name one with --url")
        }
        let response: GatewayProbe.Response
        do {
            response = try probe.ask(path, of: found.root, key: found.key)
        } catch let error as TransportError {
            throw Complaint("the gateway does not answer: \(error.detail.isEmpty ? "nothing came" : error.detail)")
        }
        guard response.status == 200 else { throw Complaint(response.complaint) }
        return response.body
    }

    /// Returns all models that the key can use, including those that upstreams list. Must not be called on a loop.
    ///
    /// - Throws: ``Complaint``.
    func models(_ probe: GatewayProbe) throws -> [GatewayModel] {
        struct List: Decodable { let data: [GatewayModel] }

        let response: GatewayProbe.Response
        do {
            response = try probe.listModels(at: root, key: key)
        } catch let error as TransportError {
            throw Complaint("the gateway does not answer: \(error.detail.isEmpty ? "nothing came" : error.detail)")
        }
        guard response.status == 200 else { throw Complaint(response.complaint) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let list = try? decoder.decode(List.self, from: Data(response.body)) else {
            throw Complaint("what answers is no gateway that lists models")
        }
        return list.data
    }

    /// Returns the models of a running gateway: the named one, or else one of the configuration. Must not be called on
    /// a loop.
    ///
    /// - Parameters:
    ///   - configuration: Configuration with the addresses to try if no gateway is named; nil to try none.
    ///   - limit: Total time limit.
    /// - Returns: Nil if no gateway runs.
    /// - Throws: ``Complaint``.
    static func modelsOfRunning(
        _ options: GatewayOptions, _ configuration: Configuration?, within limit: Duration, say: (String) -> Void
    ) throws -> [GatewayModel]? {
        let environment = ProcessEnvironment.current
        let group = try EventLoopGroup(starting: 1)
        defer { group.stop() }
        let probe = GatewayProbe(group: group, deadline: .now + limit)
        if let named = try named(options, environment) { return try named.models(probe) }
        guard let configuration else { return nil }
        let found = try running(
            configuration, key: try options.givenKey(environment), environment, probe, say: say)
        return try found?.models(probe)
    }
}
