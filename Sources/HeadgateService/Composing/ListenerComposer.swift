import HeadgateConfiguration
import HeadgateGateway
import HeadgateLibC
import HeadgateNetwork
import HeadgateRelay
import HeadgateServer

/// Turns configured listeners into settings of the server, and loads their certificates.
struct ListenerComposer {
    /// Sockets that replace the configured addresses.
    let inherited: [InheritedSocket]
    /// Gateway that hands over its sockets, each of which is taken once.
    var predecessor: Predecessor?

    /// - Throws: ``Complaint`` if a certificate cannot be used.
    func settings(for listeners: [ListenerConfiguration]) throws -> [ListenerSettings] {
        let configured = try listeners.map { try settings(for: $0) }
        guard !inherited.isEmpty else { return configured }
        return inherited.map { socket in
            let address = ListenerSettings.Address(socket.address)
            // The settings of an address apply to the socket that was opened on it.
            var settings = configured.first { $0.address == address } ?? ListenerSettings(address: address)
            if case .unix = address, !configured.contains(where: { $0.address == address }) {
                settings.authentication = .peer(uids: [getuid()])
            }
            settings.inherited = socket.descriptor
            settings.isHandedOver = false
            return settings
        }
    }

    /// Returns the number of callers without keys.
    func callersWithoutKey(_ listeners: [ListenerConfiguration]) -> Int {
        // An inherited socket without a configured listener serves the owner.
        let opened = inherited.compactMap { socket -> ListenerConfiguration? in
            guard case .unix(let path) = socket.address else { return nil }
            let address = ListenAddress.unix(path: path)
            return listeners.contains { $0.address == address } ? nil : ListenerConfiguration(address: address)
        }
        return (listeners + opened).callersWithoutKey(owner: getuid())
    }

    private func settings(for listener: ListenerConfiguration) throws -> ListenerSettings {
        var settings = ListenerSettings(address: ListenerSettings.Address(listener.address), mode: listener.mode)
        settings.tag = listener.api.routes.rawValue
        settings.inherited = predecessor?.takeSocket(for: settings.address.description)
        settings.isHandedOver = settings.inherited != nil
        switch listener.authentication {
        case .key: settings.authentication = .key
        case .none: settings.authentication = .none
        case .peer: settings.authentication = .peer(uids: [getuid()] + listener.uids)
        }
        if let files = listener.tls {
            do {
                settings.tls = try TLSContext.server(certificate: files.certificate, key: files.key)
            } catch {
                throw Complaint(
                    "cannot serve TLS on \(listener.address): \(error.description)", exitCode: .configuration)
            }
        }
        return settings
    }
}

extension ListenerConfiguration.API {
    var routes: RouteSelection {
        switch self {
        case .all: .all
        case .ollama: .ollama
        case .metrics: .metrics
        }
    }
}

extension ListenerSettings.Address {
    init(_ address: ListenAddress) {
        switch address {
        case .tcp("localhost", let port): self = .tcp(ip: "127.0.0.1", port: port)
        case .tcp(let host, let port): self = .tcp(ip: host, port: port)
        case .unix(let path): self = .unix(path: path)
        }
    }

    init(_ address: InheritedSocket.Address) {
        switch address {
        case .tcp(let ip, let port): self = .tcp(ip: ip, port: port)
        case .unix(let path): self = .unix(path: path)
        }
    }
}
