package import HeadgateConfiguration
import HeadgateGateway
import HeadgateLibC
import HeadgateNetwork
import HeadgateRelay

/// Client key that the gateway creates if it holds an upstream's secret and no key is configured.
package enum GatewayKey {
    /// Returns the key of the user's key file, which is created on first use with mode 0600.
    package static func loadOrMake(environment: [String: String]) throws -> String {
        if let key = try load(environment: environment) { return key }
        let path = try path(environment)
        let key = NewKey.make()
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/" + part
            mkdir(made, 0o700)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Complaint(
                "no client key: \(path) does not exist and cannot be written (\(systemErrorText(errno))): put a key "
                    + "into it, configure 'keys:', or name another file in HEADGATE_KEY_FILE",
                exitCode: .configuration)
        }
        defer { close(descriptor) }
        let text = Array((key + "\n").utf8)
        guard write(descriptor, text, text.count) == text.count else {
            throw Complaint("cannot write the gateway's key to \(path): \(systemErrorText(errno))")
        }
        return key
    }

    /// Returns the key; nil if none has been created.
    package static func load(environment: [String: String]) throws -> String? {
        let path = try path(environment)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw Complaint("cannot read \(path): \(systemErrorText(errno))") }
            return nil
        }
        defer { close(descriptor) }
        // One byte more than a key with its line end, to detect a longer file.
        var bytes = [UInt8](repeating: 0, count: maximumLength + 3)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw Complaint("cannot read \(path): \(systemErrorText(errno))") }
        return try key(of: bytes[..<count], path: path)
    }

    /// Returns the key if it is one of a configuration's keys.
    package static func load(
        among keys: [KeyConfiguration], environment: [String: String]
    ) -> String? {
        guard let key = try? load(environment: environment) else { return nil }
        let digest = KeyDigest(of: key.utf8).bytes
        return keys.contains { $0.digest == digest } ? key : nil
    }

    /// Maximum bytes of a key, which clients send in a header.
    private static let maximumLength = 256

    /// - Throws: ``Complaint`` for anything but one line of visible ASCII, which a client could not send.
    private static func key(of text: ArraySlice<UInt8>, path: String) throws -> String {
        func complaint(_ reason: String) -> Complaint {
            Complaint(
                "\(path) \(reason): put one key of 20 to \(maximumLength) bytes into it, on one line, or delete it, "
                    + "and a new one will be made",
                exitCode: .configuration)
        }
        var text = text
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        guard text.count <= maximumLength else { throw complaint("is longer than a key") }
        guard !text.contains(UInt8(ascii: "\n")) else { throw complaint("holds more than one line") }
        guard text.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw complaint("holds a space or another character that no key has")
        }
        guard text.count >= 20 else { throw complaint("holds no key, or one that is too short") }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the path that `HEADGATE_KEY_FILE` names, or else one in the user's configuration folder.
    package static func path(_ environment: [String: String]) throws -> String {
        if let path = environment["HEADGATE_KEY_FILE"], !path.isEmpty { return path }
        if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder + "/headgate/key" }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw Complaint(
                "no client key: configure 'keys:', or name a file that holds one in HEADGATE_KEY_FILE (HOME is not "
                    + "set, so that there is no folder to keep a generated key in)",
                exitCode: .configuration)
        }
        return home + "/.config/headgate/key"
    }
}
