internal import COpenSSL

/// The versions of TLS that are spoken here.
package enum TLSVersion: String, Equatable, Sendable {
    case v12 = "TLSv1.2"
    case v13 = "TLSv1.3"

    var number: Int32 {
        switch self {
        case .v12: TLS1_2_VERSION
        case .v13: TLS1_3_VERSION
        }
    }
}
