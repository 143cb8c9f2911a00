import ArgumentParser
import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateNetwork
import HeadgateServer
import HeadgateUpstream

struct HealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health", abstract: "Ask a running gateway whether it is ready.",
        discussion: "Exits 0 when GET /readyz answers 200, else 1 with the reason. For container health checks.")

    @OptionGroup var options: ConfigurationOptions

    @Option(help: "The gateway's address; default: where the configuration makes it listen.")
    var url: String?

    func run() throws {
        try reporting {
            let target = try target()
            let group = EventLoopGroup(count: 1)
            defer { group.stop() }
            let result = Locked<Result<Int, any Error>?>(nil)
            let answered = Latch()
            let timeouts = TransferTimeouts(connect: .seconds(3), firstByte: .seconds(3), silence: .seconds(3))
            let access = UpstreamAccess(tls: try? TLSContext.client(authorities: nil), allowsPrivateAddresses: true)
            let transport = UpstreamTransport(
                network: UpstreamNetwork(group: group), access: access, timeouts: timeouts)
            group.loops[0].execute {
                Task(executorPreference: group.loops[0]) {
                    let request = HTTPRequest(
                        method: .get, scheme: nil, authority: target.authority, path: target.pathPrefix + "/readyz")
                    let answer: Result<Int, any Error>
                    do {
                        let (response, body) = try await transport.send(
                            request, body: nil, baseURL: target, operationID: "getReadiness")
                        _ = try await body?.collect(upTo: 64 * 1024)
                        answer = .success(response.status.code)
                    } catch {
                        answer = .failure(error)
                    }
                    result.withLock { $0 = answer }
                    answered.open()
                }
            }
            answered.wait()
            switch result.withLock({ $0 }) {
            case .success(200)?: print("ready")
            case .success(let status)?: throw Complaint("the gateway is not ready: GET /readyz answered \(status)")
            case .failure(let error as TransportError)?:
                let reason = error.detail.isEmpty ? "nothing came within 3 s" : error.detail
                throw Complaint("the gateway does not answer: \(reason)")
            case .failure, nil: throw Complaint("the gateway does not answer")
            }
        }
    }

    private func target() throws -> BaseURL {
        if let url {
            do {
                return BaseURL(try UpstreamURL(parsing: url))
            } catch {
                throw Complaint("--url: \(error.message)")
            }
        }
        // A listener with TLS has a certificate for another name than the one that we would ask for here.
        let listeners = try options.load().listeners
        guard let listener = listeners.first(where: { $0.tls == nil }) else {
            throw Complaint("every listener has TLS: give the name that the certificate is for with --url https://...")
        }
        switch listener.address {
        case .unix(let path): return BaseURL(endpoint: .unix(path: path), pathPrefix: "")
        case .tcp(let host, let port):
            let local = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host
            return BaseURL(endpoint: .tcp(host: local, port: port), pathPrefix: "")
        }
    }
}
