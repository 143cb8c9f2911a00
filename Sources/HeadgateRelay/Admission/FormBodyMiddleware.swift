package import HeadgateHTTP

/// Checks the type and the declared length of a multipart form before any of it is read.
package struct FormBodyMiddleware: ServerGate {
    package init() {}
    /// Maximum bytes of a form.
    static let limit = 64 << 20

    package func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws {
        guard FormBodyMiddleware.boundary(of: request) != nil else { throw GatewayError.notAForm }
        if let coding = request.fields.value(of: .contentEncoding), coding.lowercased() != "identity" {
            throw GatewayError.compressedForm
        }
        if case .fixed(let count) = metadata.bodyLength, count > FormBodyMiddleware.limit {
            throw HTTPSyntaxError.bodyTooLarge(limit: FormBodyMiddleware.limit)
        }
        metadata.bodyLimit = FormBodyMiddleware.limit
    }

    /// Returns the boundary of a form; nil if the body is not a form.
    static func boundary(of request: RequestHead) -> MultipartBoundary? {
        request.fields.value(of: .contentType).flatMap(MultipartBoundary.init(contentType:))
    }
}

extension GatewayError {
    static let notAForm = GatewayError.invalidRequest(
        415, "The request needs 'Content-Type: multipart/form-data' with one well-formed 'boundary'.")

    static let compressedForm = GatewayError.invalidRequest(
        415, "A compressed form is not accepted: send it without Content-Encoding.")
}
