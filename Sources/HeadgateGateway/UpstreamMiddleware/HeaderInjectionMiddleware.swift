internal import HTTPTypes
internal import HeadgateHTTP

/// Puts the client headers on a request. Which, and with what values, is the factory's business.
struct HeaderInjectionMiddleware: ClientRequestEditor {
    private let fields: [HTTPField]

    init(factory: HeaderFactory) { fields = Array(factory.makeFields()) }

    func edit(_ request: inout HTTPRequest) {
        for field in fields {
            if request.headerFields.contains(field.name) {
                request.headerFields[field.name] = field.value
            } else {
                request.headerFields.append(field)
            }
        }
    }
}
