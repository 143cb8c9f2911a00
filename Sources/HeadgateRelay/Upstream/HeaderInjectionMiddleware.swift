internal import HTTPTypes
internal import HeadgateHTTP

/// Sets a header factory's headers on a request, and removes headers that the upstream must not receive.
struct HeaderInjectionMiddleware: ClientRequestEditor {
    private let fields: [HTTPField]
    private let removed: [HTTPField.Name]

    /// - Parameter removed: names of headers to remove.
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
