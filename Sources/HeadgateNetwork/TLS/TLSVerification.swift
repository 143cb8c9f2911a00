internal import COpenSSL

/// OpenSSL's verdicts on certificates, in words for people.
enum TLSVerification {
    /// - Parameter verdict: an `X509_V_ERR_` code.
    static func text(_ verdict: Int) -> String {
        switch Int32(truncatingIfNeeded: verdict) {
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return "the certificate has expired"
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return "the certificate is not valid yet"
        case X509_V_ERR_HOSTNAME_MISMATCH:
            return "the certificate is for another name"
        case X509_V_ERR_IP_ADDRESS_MISMATCH:
            return "the certificate is for another address"
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            return "the certificate is self-signed and not among the trusted ones"
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            return "the certificate's issuer is not trusted"
        case let code:
            guard let reason = X509_verify_cert_error_string(Int(code)) else {
                return "the certificate is not accepted"
            }
            return "the certificate is not accepted: \(String(cString: reason))"
        }
    }
}
