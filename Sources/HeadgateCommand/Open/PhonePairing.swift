import CHeadgate
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateGateway
import HeadgateHTTP
import HeadgateLibC
import HeadgateService
import HeadgateTerminal

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Creates a code that a phone exchanges for its own key.
struct PhonePairing {
    let gateway: ReachableGateway
    /// Origin of the gateway's pages for the phone.
    let origin: String

    /// Creates the code, and returns the address of the page that uses it.
    ///
    /// - Throws: ``Complaint``.
    func address(budget: String, expires: String) throws -> String {
        let settings: KeySettings
        let name = "phone-" + String(UInt32.random(in: 0...0xFFFFFF) | 0x1000000, radix: 16).dropFirst()
        do {
            settings = try KeySettings(budget: budget, expires: try KeyExpiry.date(expires))
        } catch let error as KeySettingsError {
            throw Complaint(error.message)
        }
        let body = "{\"name\":\"\(name)\",\(settings.text.dropFirst())"
        let group = try EventLoopGroup(starting: 1)
        defer { group.stop() }
        let response: GatewayProbe.Response
        do {
            response = try GatewayProbe(group: group).pair(Array(body.utf8), at: gateway.root, key: gateway.key)
        } catch let error as TransportError {
            throw Complaint("The gateway does not answer: \(error.detail.isEmpty ? "nothing came" : error.detail).")
        }
        guard response.status == 201, let made = try? JSONDecoder().decode(Made.self, from: Data(response.body)) else {
            throw Complaint(response.complaint)
        }
        return "\(origin)/#pair=\(made.code)"
    }

    private struct Made: Decodable { let code: String }

    /// Returns the lines of the QR code for the terminal.
    ///
    /// - Parameter isColored: Whether the code is black on white, regardless of the terminal's colors.
    static func lines(_ address: String, isColored: Bool) throws -> [String] {
        guard let code = QRCode(address) else {
            throw Complaint("The address is too long for a QR code: \(address)")
        }
        return code.lines.map { isColored ? "\u{1B}[30;107m\($0)\u{1B}[0m" : $0 }
    }
}

/// Finds the address at which a phone reaches a gateway.
enum PhoneOrigin {
    /// Returns the origin of the gateway's pages for other devices.
    ///
    /// - Throws: ``Complaint`` with advice if the gateway listens only on this machine.
    static func find(_ configuration: Configuration) throws -> String {
        if let url = configuration.origins.publicURL { return url.origin }
        for listener in configuration.listeners.withEveryRoute where !listener.address.isLoopback {
            guard case .tcp(let host, let port) = listener.address, port != 0 else { continue }
            let isEveryAddress = host == "0.0.0.0" || host == "::"
            guard let address = isEveryAddress ? localAddress : host else {
                throw Complaint("This machine has no address in a network. Connect it, or name the address with --url.")
            }
            let literal = address.contains(":") ? "[\(address)]" : address
            return "\(listener.tls == nil ? "http" : "https")://\(literal):\(port)"
        }
        let port = configuration.listeners.compactMap(\.address.port).first ?? 8686
        let other = port < .max ? port + 1 : port - 1
        throw Complaint(
            """
            The gateway listens on this machine only, so no phone can reach it.
            Let it listen in your network too, and restart it:

              listen:
                - 127.0.0.1:\(port)
                - address: 0.0.0.0:\(other)
                  tls: {cert: cert.pem, key: key.pem}

            Without 'tls:' keys and prompts travel in the clear. docs/remote.md shows safer ways, such as a VPN.
            """)
    }

    /// Address of the interface with the default route; nil without a network.
    private static var localAddress: String? {
        // The address is reserved for documentation, so it selects the default route. Nothing is sent.
        var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
        guard headgate_address_towards("192.0.2.1", &text, text.count) == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
