internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Images created from texts and from other images.
public struct ImageOperations: Sendable {
    let api: any APIProtocol

    /// Creates images from a prompt.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func generate(_ request: ImageRequest) async throws -> GeneratedImages {
        let body = HTTPBody.bytes(try JSONCoding.encode(request.members))
        return try await sendForValue { try await api.createImage(.init(body: .json(body))).encoded() }
    }

    /// Creates images from others and a prompt.
    ///
    /// - Parameters:
    ///   - images: Images to change.
    ///   - mask: Image of the same size that is transparent at the places that can change.
    ///   - request: The prompt and further options.
    /// - Throws: ``HeadgateClientError``.
    public func edit(
        _ images: [UploadedFile], mask: UploadedFile? = nil, with request: ImageRequest
    ) async throws -> GeneratedImages {
        var form = MultipartForm()
        try form.add(request.members)
        for image in images { form.add(images.count == 1 ? "image" : "image[]", image) }
        form.add("mask", mask)
        let (body, boundary) = (form.whole, form.boundary)
        return try await sendForValue {
            try await api.createImageEdit(.init(body: .multipartForm(.bytes(body), boundary: boundary))).encoded()
        }
    }

    /// Creates variations of an image.
    ///
    /// - Throws: ``HeadgateClientError``.
    public func vary(
        _ image: UploadedFile, model: String, count: Int? = nil, size: String? = nil,
        additional: [String: JSONValue] = [:]
    ) async throws -> GeneratedImages {
        var form = MultipartForm()
        form.add("model", model)
        form.add("n", count.map { "\($0)" })
        form.add("size", size)
        try form.add(additional)
        form.add("image", image)
        let (body, boundary) = (form.whole, form.boundary)
        return try await sendForValue {
            try await api.createImageVariation(.init(body: .multipartForm(.bytes(body), boundary: boundary)))
                .encoded()
        }
    }
}
