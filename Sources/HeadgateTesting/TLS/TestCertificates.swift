internal import COpenSSL
internal import HeadgateLibC

/// A certificate authority that exists as long as a test, and the certificates that it signs, as PEM files in one
/// folder.
package final class TestCertificates {
    /// A certificate and its private key, for a listener.
    package struct Files: Sendable {
        package let certificate: String
        package let key: String
    }

    package enum Signer { case authority, itself }

    /// The folder, which the creator removes with ``removeAll()``.
    package let folder: String
    /// The path of the authority's certificate, for clients that trust it.
    package var authority: String { "\(folder)/authority.pem" }

    private let authorityKey: TestKey
    private let authorityCertificate: TestCertificate
    private var count = 0

    /// Creates a folder for temporary files, and the authority in it.
    package init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/headgate-tls-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestCertificateError("no folder below \(parent)") }
        folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        authorityKey = try TestKey()
        authorityCertificate = try TestCertificate(
            subject: "Headgate test authority", key: authorityKey, validFrom: .seconds(-3600),
            validUntil: .seconds(86_400))
        try authorityCertificate.addExtensions(
            [
                (NID_basic_constraints, "critical,CA:TRUE"), (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
            ], issuer: authorityCertificate)
        try authorityCertificate.sign(issuer: authorityCertificate, with: authorityKey)
        try authorityCertificate.write(to: authority)
    }

    /// Creates a key and a certificate for a server.
    ///
    /// - Parameters:
    ///   - names: The host names, which can have a wildcard.
    ///   - addresses: The IP addresses.
    ///   - validFrom: The offset from now, like `validUntil`.
    ///   - signer: The authority, or the certificate itself.
    ///   - passphrase: The passphrase of the encrypted key; nil for a key without encryption.
    package func leaf(
        names: [String] = ["localhost"], addresses: [String] = ["127.0.0.1", "::1"],
        validFrom: Duration = .seconds(-3600),
        validUntil: Duration = .seconds(86_400), signer: Signer = .authority, passphrase: String? = nil
    ) throws -> Files {
        count += 1
        let files = Files(certificate: "\(folder)/leaf-\(count).pem", key: "\(folder)/leaf-\(count).key")
        let key = try TestKey()
        let certificate = try TestCertificate(
            subject: "Headgate test server", key: key, validFrom: validFrom, validUntil: validUntil)
        let issuer = signer == .authority ? authorityCertificate : certificate
        let alternatives = names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }
        var extensions: [(Int32, String)] = [
            (NID_basic_constraints, "critical,CA:FALSE"), (NID_ext_key_usage, "serverAuth"),
            (NID_subject_key_identifier, "hash"),
        ]
        if signer == .authority { extensions.append((NID_authority_key_identifier, "keyid")) }
        if !alternatives.isEmpty { extensions.append((NID_subject_alt_name, alternatives.joined(separator: ","))) }
        try certificate.addExtensions(extensions, issuer: issuer)
        try certificate.sign(issuer: issuer, with: signer == .authority ? authorityKey : key)
        try certificate.write(to: files.certificate)
        try key.write(to: files.key, passphrase: passphrase)
        return files
    }

    /// Creates an expired certificate.
    package func expiredLeaf() throws -> Files {
        try leaf(validFrom: .seconds(-7200), validUntil: .seconds(-3600))
    }

    /// Creates a self-signed certificate.
    package func selfSignedLeaf() throws -> Files { try leaf(signer: .itself) }

    /// Removes the folder with all files that were written into it.
    package func removeAll() {
        unlink(authority)
        for number in 1...max(1, count) {
            unlink("\(folder)/leaf-\(number).pem")
            unlink("\(folder)/leaf-\(number).key")
        }
        rmdir(folder)
    }
}

/// A failure to create a certificate.
package struct TestCertificateError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
