internal import HTTPTypes

// Errors of requests about keys.
extension GatewayError {
    package static let keysNotForThisKey = GatewayError.invalidRequest(
        403, "This key may not manage keys: that needs a key with 'admin: true'.", code: "admin_key_needed",
        cause: .notAllowed)

    /// Every client of a keyless gateway is its admin: the first one to create a key would lock out the others.
    package static let keysOfKeylessGateway = GatewayError.invalidRequest(
        403,
        "This gateway asks nobody for a key, and the first one changes that for everybody. Its owner makes it, with "
            + "'headgate key add NAME' on the gateway's machine.",
        code: "keyless_gateway", cause: .notAllowed)

    package static let keysOff = GatewayError.invalidRequest(
        404,
        "This gateway has no place for managed keys: they are kept in the data folder, and neither XDG_DATA_HOME nor "
            + "HOME names one.",
        code: "keys_off", cause: .unknownRoute)

    package static let keysUnavailable = GatewayError(
        503, type: "server_error", code: "keys_unavailable",
        message: "The gateway cannot read or write its managed keys; its log says why. Try again later.",
        cause: .storeFailed, headerFields: [.retryAfter: "5"])

    /// Sent after the first managed key is created, until the configuration that includes it is in use.
    package static let keysAppear = GatewayError(
        503, type: "server_error", code: "keys_appear",
        message: "The gateway is about to let in its first managed key. Try again.", cause: .storeFailed,
        headerFields: [.retryAfter: "1"])

    /// Sent until the database of the managed keys, which was unreachable at startup, can be reached.
    package static let keysUnknown = GatewayError(
        503, type: "server_error", code: "keys_unknown",
        message: "The gateway does not know its managed keys yet, as their database does not answer. Try again later.",
        cause: .storeFailed, headerFields: [.retryAfter: "2"])

    package static func unknownKey(_ name: String) -> GatewayError {
        .invalidRequest(
            404, "There is no key '\(ShownName.text(name))'. GET /v1/admin/keys lists those that there are.",
            code: "key_not_found", parameter: "name", cause: .unknownResponse)
    }

    package static func takenKeyName(_ name: String) -> GatewayError {
        .invalidRequest(
            409, "There is a key '\(ShownName.text(name))' already. Choose another name, or revoke that one first.",
            code: "key_exists", parameter: "name")
    }

    package static func configuredKey(_ name: String) -> GatewayError {
        .invalidRequest(
            409,
            "The key '\(ShownName.text(name))' is in the gateway's configuration: change it there, and reload.",
            code: "key_in_configuration", parameter: "name")
    }

    package static func invalidKeySetting(_ setting: String, _ message: String) -> GatewayError {
        .invalidRequest(400, message, code: "invalid_value", parameter: setting.isEmpty ? nil : setting)
    }
}
