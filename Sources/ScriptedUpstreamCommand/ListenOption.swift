internal import ArgumentParser

/// A literal address with a port; an IPv6 address is in brackets.
struct ListenOption: ExpressibleByArgument {
    let ip: String
    let port: UInt16

    init(ip: String, port: UInt16) {
        self.ip = ip
        self.port = port
    }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = UInt16(argument[argument.index(after: colon)...])
        else { return nil }
        var host = argument[..<colon]
        if host.first == "[" {
            guard host.last == "]" else { return nil }
            host = host.dropFirst().dropLast()
        }
        guard !host.isEmpty else { return nil }
        self.init(ip: String(host), port: port)
    }

    var defaultValueDescription: String { text(port: port) }

    func text(port: UInt16) -> String { ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)" }
}
