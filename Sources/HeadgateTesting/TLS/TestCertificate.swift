internal import COpenSSL
internal import HeadgateLibC

/// A private key on the curve P-256, which can be generated quickly.
final class TestKey {
    let pointer: OpaquePointer

    init() throws {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_keygen(context, &key) == 1, let key
        else { throw TestCertificateError("no key could be made") }
        pointer = key
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Writes the key as PEM, readable only by the current user.
    func write(to path: String, passphrase: String?) throws {
        let previous = umask(0o077)
        let file = BIO_new_file(path, "w")
        umask(previous)
        defer { BIO_free(file) }
        let isWritten =
            if var text = passphrase.map({ Array($0.utf8) }) {
                PEM_write_bio_PrivateKey(file, pointer, EVP_aes_256_cbc(), &text, Int32(text.count), nil, nil)
            } else {
                PEM_write_bio_PrivateKey(file, pointer, nil, nil, 0, nil, nil)
            }
        guard isWritten == 1 else { throw TestCertificateError("no key could be written to \(path)") }
    }
}

/// A certificate that is being created.
final class TestCertificate {
    private let pointer: OpaquePointer

    /// Creates an unsigned certificate.
    ///
    /// - Parameters:
    ///   - validFrom: The offset from now, like `validUntil`.
    init(subject: String, key: TestKey, validFrom: Duration, validUntil: Duration) throws {
        guard let pointer = X509_new() else { throw TestCertificateError("no certificate could be made") }
        self.pointer = pointer
        X509_set_version(pointer, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(pointer), Int.random(in: 1...Int(Int32.max)))
        X509_gmtime_adj(X509_getm_notBefore(pointer), Int(validFrom.components.seconds))
        X509_gmtime_adj(X509_getm_notAfter(pointer), Int(validUntil.components.seconds))
        X509_set_pubkey(pointer, key.pointer)
        X509_NAME_add_entry_by_txt(
            X509_get_subject_name(pointer), "CN", MBSTRING_UTF8, subject, Int32(subject.utf8.count), -1, 0)
    }

    deinit { X509_free(pointer) }

    /// Adds extensions.
    ///
    /// - Parameter values: The extensions in the format of OpenSSL's configuration files.
    func addExtensions(_ values: [(identifier: Int32, value: String)], issuer: TestCertificate) throws {
        for (identifier, value) in values {
            var context = X509V3_CTX()
            X509V3_set_ctx(&context, issuer.pointer, pointer, nil, nil, 0)
            guard let made = X509V3_EXT_conf_nid(nil, &context, identifier, value) else {
                throw TestCertificateError("no extension could be made of \"\(value)\"")
            }
            X509_add_ext(pointer, made, -1)
            X509_EXTENSION_free(made)
        }
    }

    func sign(issuer: TestCertificate, with key: TestKey) throws {
        X509_set_issuer_name(pointer, X509_get_subject_name(issuer.pointer))
        guard X509_sign(pointer, key.pointer, EVP_sha256()) > 0 else {
            throw TestCertificateError("a certificate could not be signed")
        }
    }

    /// Writes the certificate as PEM.
    func write(to path: String) throws {
        let file = BIO_new_file(path, "w")
        defer { BIO_free(file) }
        guard PEM_write_bio_X509(file, pointer) == 1 else {
            throw TestCertificateError("no certificate could be written to \(path)")
        }
    }
}
