internal import HTTPTypes
internal import HeadgateHTTP

/// Puts the client headers on a request, and takes off what its upstream is not to be sent. Which, and with what values, is the
/// factory's and the configuration's business.
struct HeaderInjectionMiddleware: ClientRequestEditor {
    private let fields: [HTTPField]
    private let removed: [HTTPField.Name]

    /// - Parameter removed: names.
    init(factory: HeaderFactory, removed: [String] = []) {
        fields = Array(factory.makeFields())
        self.removed = removed.compactMap { HTTPField.Name($0) }
    }

    func edit(_ request: inout HTTPRequest) {
        for field in fields {
            if request.headerFields.contains(field.name) {
                request.headerFields[field.name] = field.value
            } else {
                request.headerFields.append(field)
            }
        }
        for name in removed { request.headerFields[name] = nil }
    }
}
