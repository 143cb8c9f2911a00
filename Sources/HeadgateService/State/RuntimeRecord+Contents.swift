internal import HeadgateServer

extension RuntimeRecord {
    /// Contents of a gateway's record, one member per line: `name value`.
    package struct Contents: Equatable {
        package var pid: Int32
        /// Reloads and upgrades that have begun, and that have ended.
        package var begun = 0
        package var ended = 0
        /// As ``ListeningEndpoints/all``.
        var addresses: [String] = []
        /// The configuration file's full path; nil if the environment is the configuration.
        package var file: String?
        /// Whether SIGUSR2 lets another process take over. It would end a gateway of an older version.
        package var isReplaceable = false
        /// The process that this one has replaced.
        package var predecessor: Int32?
        /// The process that serves instead of this one, which only finishes what is in flight.
        package var successor: Int32?
        /// Why the last reload or upgrade changed nothing; empty if it went well.
        package var failure = ""

        /// The first address that needs neither a socket's file nor a certificate.
        package var plainAddress: String? { addresses.first { $0.hasPrefix("http://") } }

        /// For people: which gateway this is. It may hold anything that a path may.
        package var summary: String {
            let place = addresses.isEmpty ? "no address" : addresses.joined(separator: ", ")
            return "process \(pid) on \(place), \(file ?? "without a configuration file")"
        }
    }
}

extension RuntimeRecord.Contents {
    /// Whether it has an address that another gateway would listen on; the port on any address counts as that of the
    /// loopback one.
    func listens(on address: ListenerSettings.Address) -> Bool {
        guard let wanted = ListeningEndpoints(addresses: [address], listeners: []).all.first else { return false }
        return addresses.contains { RuntimeRecord.Contents.place($0) == RuntimeRecord.Contents.place(wanted) }
    }

    private static func place(_ url: String) -> Substring {
        for scheme in ["http://", "https://"] where url.hasPrefix(scheme) { return url.dropFirst(scheme.count) }
        return url[...]
    }

    /// Advice if it occupies the address of a starting gateway.
    var advice: String {
        let place = addresses.first.map { "use it at \($0), " } ?? ""
        return
            "headgate runs there already (pid \(pid)): \(place)stop it with 'kill \(pid)', or choose another address "
            + "with --listen PORT"
    }

    /// Maximum bytes of a file, for its addresses and its failure.
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

    /// - Returns: nil for a text that no gateway wrote, or only a part of.
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
            // Member of a newer version.
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

    /// On one line.
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
