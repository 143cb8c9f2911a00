internal import HeadgateServer

extension RuntimeRecord {
    /// Contents of a gateway's record, one member per line: `name value`.
    package struct Contents: Equatable {
        package var pid: Int32
        /// Numbers of reloads and upgrades that have begun, and that have ended.
        package var begun = 0
        package var ended = 0
        /// Value of ``ListeningEndpoints/all``.
        var addresses: [String] = []
        /// Full path of the configuration file; nil if the environment is the configuration.
        package var file: String?
        /// Whether SIGUSR2 lets another process take over. The signal would end a gateway of an older version.
        package var isReplaceable = false
        /// Process that this one has replaced.
        package var predecessor: Int32?
        /// Process that serves instead of this one, which only finishes requests in flight.
        package var successor: Int32?
        /// Reason why the last reload or upgrade changed nothing; empty after a success.
        package var failure = ""

        /// First address that needs neither a socket's file nor a certificate.
        package var plainAddress: String? { addresses.first { $0.hasPrefix("http://") } }

        /// Description of the gateway for people. It can contain any character of a path.
        package var summary: String {
            let place = addresses.isEmpty ? "no address" : addresses.joined(separator: ", ")
            return "process \(pid) on \(place), \(file ?? "without a configuration file")"
        }
    }
}

extension RuntimeRecord.Contents {
    /// Returns whether the gateway has an address on which another one would listen. A port on all addresses counts as
    /// the port on the loopback address.
    func listens(on address: ListenerSettings.Address) -> Bool {
        guard let wanted = ListeningEndpoints(addresses: [address], listeners: []).all.first else { return false }
        return addresses.contains { RuntimeRecord.Contents.place($0) == RuntimeRecord.Contents.place(wanted) }
    }

    private static func place(_ url: String) -> Substring {
        for scheme in ["http://", "https://"] where url.hasPrefix(scheme) { return url.dropFirst(scheme.count) }
        return url[...]
    }

    /// Advice for a starting gateway whose address this one occupies.
    var advice: String {
        let place = addresses.first.map { "use it at \($0), " } ?? ""
        return
            "headgate runs there already (pid \(pid)): \(place)stop it with 'kill \(pid)', or choose another address "
            + "with --listen PORT"
    }

    /// Maximum bytes of a record with its addresses and its failure.
    static let limit = 64 * 1024
    private static let addressLimit = 64
    private static let failureLimit = 16 * 1024

    var text: String {
        var lines = ["begun \(begun)", "ended \(ended)"]
        if let file { lines.append("file \(Self.escaped(file))") }
        lines += addresses.prefix(Self.addressLimit).map { "address \(Self.escaped($0))" }
        if isReplaceable { lines.append("replaceable yes") }
        if let predecessor { lines.append("predecessor \(predecessor)") }
        if let successor { lines.append("successor \(successor)") }
        if !failure.isEmpty { lines.append("failure \(Self.escaped(Self.bounded(failure)))") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns nil for a text that is incomplete, or that no gateway wrote.
    init?(pid: Int32, text: String) {
        guard text.utf8.last == UInt8(ascii: "\n") else { return nil }
        var (begun, ended): (Int?, Int?)
        self.init(pid: pid)
        // Bytes are compared, since a combining character can follow a space or a line feed.
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
            let value = Substring(line[line.index(after: space)...])
            switch String(Substring(line[..<space])) {
            case "begun": begun = Int(value)
            case "ended": ended = Int(value)
            case "file": file = Self.unescaped(value)
            case "address": addresses.append(Self.unescaped(value))
            case "replaceable": isReplaceable = value == "yes"
            case "predecessor": predecessor = Int32(value)
            case "successor": successor = Int32(value)
            case "failure": failure = Self.unescaped(value)
            // A member of a newer version.
            default: continue
            }
        }
        guard let begun, let ended else { return nil }
        (self.begun, self.ended) = (begun, ended)
    }

    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > failureLimit else { return text }
        return String(text.unicodeScalars.prefix(failureLimit / 4)) + " ..."
    }

    /// Returns the text on one line.
    private static func escaped(_ text: String) -> String {
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": output.append(contentsOf: "\\\\".unicodeScalars)
            case "\n": output.append(contentsOf: "\\n".unicodeScalars)
            case "\r": output.append(contentsOf: "\\r".unicodeScalars)
            default: output.append(scalar)
            }
        }
        return String(output)
    }

    private static func unescaped(_ text: Substring) -> String {
        var output = String.UnicodeScalarView()
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                output.append(scalar)
                continue
            }
            switch scalars.next() {
            case "n"?: output.append("\n")
            case "r"?: output.append("\r")
            case let escaped?: output.append(escaped)
            case nil: break
            }
        }
        return String(output)
    }
}
