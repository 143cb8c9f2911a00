internal import HTTPTypes
internal import HeadgateHTTP

/// Sets the fields of a header factory on a request, and removes those that its upstream must not get.
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
