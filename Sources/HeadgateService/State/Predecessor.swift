import CHeadgate
import HeadgateConfiguration
import HeadgateLibC
package import HeadgateNetwork

/// Gateway that started this process as its replacement: its sockets and locks, and the channel to it.
///
/// Belongs to the main thread.
package final class Predecessor {
    /// Variable that tells a process that a gateway waits at a descriptor.
    static let variable = "HEADGATE_HANDOVER"
    static let value = "\(HEADGATE_HANDOVER_DESCRIPTOR)"

    /// Process of the gateway.
    let process: Int32
    private let channel: HandoverChannel
    /// The gateway's own sockets, by address, that no listener has taken yet.
    private var sockets: [(address: String, descriptor: Int32)] = []
    /// Sockets that a service manager opened.
    package private(set) var managerSockets: [InheritedSocket] = []
    /// Locks by path. ``PlaceLocks`` closes those that are not used.
    let locks: [String: Int32]

    private static let patience = Duration.seconds(15)

    /// Accepts the offer of the gateway. Must be called before there is another thread.
    ///
    /// - Returns: nil if this process was started in another way.
    /// - Throws: ``Complaint`` if the offer cannot be used.
    package static func adopt(_ environment: [String: String]) throws -> Predecessor? {
        guard let told = environment[variable] else { return nil }
        unsetenv(variable)
        var status = stat()
        let number = Int32(HEADGATE_HANDOVER_DESCRIPTOR)
        guard told == value, fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            throw Complaint("\(variable) is for processes that a gateway starts on 'headgate upgrade': unset it")
        }
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        return try Predecessor(HandoverChannel(number))
    }

    /// Waits for the offer.
    init(_ channel: HandoverChannel) throws {
        self.channel = channel
        process = headgate_handover_creator(channel.descriptor)
        do throws(HandoverError) {
            guard case .offer(let offer) = try channel.receive(within: Predecessor.patience) else { throw .foreign }
            let descriptors = channel.takeDescriptors()
            guard descriptors.count == offer.descriptorCount else {
                for descriptor in descriptors { close(descriptor) }
                throw .foreign
            }
            let held = zip(offer.locks, descriptors.dropFirst(offer.sockets.count))
            locks = Dictionary(held.map { ($0, $1) }) { first, _ in first }
            for (socket, descriptor) in zip(offer.sockets, descriptors) {
                let passed = try? InheritedSocket(.init(number: descriptor, name: socket.address))
                guard let passed else { throw .foreign }
                if socket.isManagers {
                    managerSockets.append(passed)
                } else {
                    sockets.append((socket.address, descriptor))
                }
            }
        } catch {
            throw Complaint("the running gateway's offer cannot be used: \(error)")
        }
    }

    /// Returns the gateway's listening socket for an address. Each socket is returned once.
    func takeSocket(for address: String) -> Int32? {
        guard let index = sockets.firstIndex(where: { $0.address.utf8.elementsEqual(address.utf8) }) else { return nil }
        return sockets.remove(at: index).descriptor
    }

    /// Reports that this process cannot serve. The gateway then continues.
    package func refuse(_ reason: String) { try? channel.send(.refused(reason)) }

    /// Checks the versions of the stores, reports that this process is ready, and waits until it can open them.
    ///
    /// - Throws: ``Complaint`` if this process cannot serve, or the gateway stays or has ended.
    func waitForTurn(with configuration: Configuration, _ environment: [String: String]) throws {
        let stores = try? Backup(configuration.ledger.place, configuration, environment)
        if let path = stores?.outdated.first {
            throw Complaint(
                "\(path): an older version has written it, and this one changes its tables: restart the gateway "
                    + "instead of upgrading it", exitCode: .configuration)
        }
        do throws(HandoverError) {
            try channel.send(.ready)
            guard try channel.receive(within: Predecessor.patience) == .commit else { throw .foreign }
        } catch {
            throw Complaint("the running gateway has not handed over: \(error)")
        }
    }

    /// Reports that this process serves. Closes the sockets that it has not taken, and removes their files.
    func serves() {
        try? channel.send(.serving)
        for socket in sockets {
            close(socket.descriptor)
            if socket.address.hasPrefix("unix:") { unlink(String(socket.address.dropFirst("unix:".count))) }
        }
        sockets = []
    }

    /// Descriptor that becomes readable when the gateway has ended.
    var descriptor: Int32 { channel.descriptor }
}
