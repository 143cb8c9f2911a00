import HeadgateLibC
import HeadgateNetwork
import HeadgateTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TLSContextTests {
    private let fixture: TLSFixture
    private let certificates: TestCertificates

    init() throws {
        fixture = try TLSFixture()
        certificates = fixture.certificates
    }

    private func serverError(certificate: String, key: String) -> TLSError? {
        #expect(throws: TLSError.self) { try TLSContext.server(certificate: certificate, key: key) }
    }

    @Test func missingCertificateIsNamed() throws {
        let files = try certificates.leaf()
        let path = "\(certificates.folder)/none.pem"
        let text = "the certificate in \(path) cannot be used: No such file or directory"
        #expect(serverError(certificate: path, key: files.key) == TLSError(.configuration, text))
    }

    @Test func missingKeyIsNamed() throws {
        let files = try certificates.leaf()
        let path = "\(certificates.folder)/none.key"
        let text = "the private key in \(path) cannot be used: No such file or directory"
        #expect(serverError(certificate: files.certificate, key: path) == TLSError(.configuration, text))
    }

    @Test func folderIsNotAFile() throws {
        let files = try certificates.leaf()
        let text = "the certificate in \(certificates.folder) cannot be used: Is a directory"
        #expect(serverError(certificate: certificates.folder, key: files.key) == TLSError(.configuration, text))
    }

    @Test func emptyFileIsReportedAsSuch() throws {
        let files = try certificates.leaf()
        truncate(files.key, 0)
        let text = "the private key in \(files.key) cannot be used: it is empty"
        #expect(serverError(certificate: files.certificate, key: files.key) == TLSError(.configuration, text))
    }

    @Test func swappedFilesAreRecognised() throws {
        let files = try certificates.leaf()
        let noCertificate = "the certificate in \(files.key) cannot be used: it holds no certificate in PEM form"
        #expect(serverError(certificate: files.key, key: files.key) == TLSError(.configuration, noCertificate))
        let noKey = "the private key in \(files.certificate) cannot be used: it holds no private key in PEM form"
        let error = serverError(certificate: files.certificate, key: files.certificate)
        #expect(error == TLSError(.configuration, noKey))
    }

    @Test func keyOfAnotherCertificateIsRefused() throws {
        let files = try certificates.leaf()
        let other = try certificates.leaf()
        let text = "the private key in \(other.key) does not belong to the certificate in \(files.certificate)"
        #expect(serverError(certificate: files.certificate, key: other.key) == TLSError(.configuration, text))
    }

    @Test func encryptedKeyIsRefusedWithoutAsking() throws {
        let files = try certificates.leaf(passphrase: "correct horse")
        let text =
            "the private key in \(files.key) is encrypted, and Headgate does not ask for a passphrase: "
            + "store it decrypted, readable by Headgate's user only"
        #expect(serverError(certificate: files.certificate, key: files.key) == TLSError(.configuration, text))
    }

    @Test func keyEncryptedWithNothingIsEncryptedToo() throws {
        let files = try certificates.leaf(passphrase: "")
        let error = serverError(certificate: files.certificate, key: files.key)
        #expect(error?.text.contains("is encrypted") == true)
    }

    @Test func unreadableAuthoritiesAreNamed() throws {
        let missing = "\(certificates.folder)/none.pem"
        let error = #expect(throws: TLSError.self) { try TLSContext.client(authorities: missing) }
        let text = "the certificate authorities in \(missing) cannot be used: No such file or directory"
        #expect(error == TLSError(.configuration, text))
        let files = try certificates.leaf()
        let other = #expect(throws: TLSError.self) { try TLSContext.client(authorities: files.key) }
        let reason = "the certificate authorities in \(files.key) cannot be used: it holds no certificate in PEM form"
        #expect(other == TLSError(.configuration, reason))
    }

    @Test func errorsOfTheConnectionKeepTheirNumber() {
        #expect(TLSError(.connection(ETIMEDOUT), "").systemError == ETIMEDOUT)
        #expect(TLSError(.certificate, "").systemError == EPROTO)
    }
}
