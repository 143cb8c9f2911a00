/// Files that contain only a secret.
enum SecretFile {
    static let maximumBytes = 8 << 10
    static let expectedPath = "an absolute path such as /run/secrets/openai"

    /// Returns the text of the file without a newline at its end.
    static func read(path: String) throws(InvalidValue) -> String {
        // The newline is not part of the secret, and must not make it too long.
        var bytes = try RegularFile.read(
            path: path, expected: "a file that holds the secret", limit: maximumBytes + 2, tooLarge: tooLarge)
        if bytes.last == UInt8(ascii: "\n") {
            bytes.removeLast()
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        }
        guard bytes.count <= maximumBytes else { throw InvalidValue(tooLarge) }
        guard !bytes.isEmpty else { throw InvalidValue("the file is empty: write the secret into it") }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw InvalidValue("the file is not UTF-8 text: is this the right one?")
        }
        return text
    }

    /// Returns the path of a credential of the systemd service (systemd.exec(5), LoadCredential=).
    static func credentialPath(_ name: String, environment: [String: String]) throws(InvalidValue) -> String {
        guard (1...255).contains(name.utf8.count), ![".", ".."].contains(name), !name.utf8.contains(0),
            !name.utf8.contains(UInt8(ascii: "/"))
        else { throw InvalidValue("expected the name of a systemd credential: write it without a path") }
        guard let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
            throw InvalidValue(
                "systemd passed no credentials (CREDENTIALS_DIRECTORY is not set): add LoadCredential= to the unit, "
                    + "or use {file: PATH}")
        }
        return "\(folder)/\(name)"
    }

    private static let tooLarge = "the file is larger than 8 KiB: is this the right one?"
}

/// A PEM file with certificates.
enum CertificateFile {
    static let maximumBytes = 4 << 20

    static func check(_ path: String) throws(InvalidValue) -> String {
        let bytes = try RegularFile.read(
            path: try RegularFile.checkPath(path), expected: "a PEM file", limit: maximumBytes,
            tooLarge: "the file is larger than 4 MiB: is this the right one?")
        guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
            throw InvalidValue("the file holds no certificate: it needs a line -----BEGIN CERTIFICATE-----")
        }
        return path
    }
}
