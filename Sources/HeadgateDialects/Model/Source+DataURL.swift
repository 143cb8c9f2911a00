internal import HeadgatePrimitives

extension Source {
    /// Creates a source from a URL; nil for a data URL that is not in base64.
    ///
    /// - Parameter url: A data URL in base64, such as `data:image/png;base64,...`, or a URL of any other scheme.
    init?(url: String) {
        guard url.prefix(5).lowercased() == "data:" else {
            self = .url(url)
            return
        }
        let contents = url.dropFirst(5)
        guard let comma = contents.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let head = contents[..<comma].split(separator: ";", omittingEmptySubsequences: false)
        guard let encoding = head.last, encoding.lowercased() == "base64" else { return nil }
        let mediaType = head.first.map { $0.lowercased() } ?? ""
        self = .data(mediaType: mediaType, base64: String(contents[contents.utf8.index(after: comma)...]))
    }

    /// Creates a source from a URL.
    ///
    /// - Parameter path: the path of the URL in the request.
    init(url: String, at path: String) throws(TranslationError) {
        guard let source = Source(url: url) else {
            throw TranslationError("'\(path)' is a data URL that is not in base64.", member: path)
        }
        self = source
    }

    /// Feature named in the error for a document from this source, so that it names the member that the client sent.
    var documentFeature: Feature {
        switch self {
        case .data, .text: .documents
        case .url: .documentURLs
        case .file: .uploadedFiles
        }
    }

    /// Returns whether a data URL can have this text as its media type, without parameters.
    static func isMediaType(_ text: String) -> Bool {
        let names = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return names.count == 2
            && names.allSatisfy { name in
                !name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),:;<=>?@[\\]{}".utf8.contains($0) }
            }
    }

    static func dataURL(mediaType: String, base64: String) -> String { "data:\(mediaType);base64,\(base64)" }

    /// The source with base64 text decoded; any other source is unchanged.
    var withPlainText: Source {
        guard case .data(let mediaType, let base64) = self, mediaType.hasPrefix("text/"),
            let text = Base64.decodeLeniently(base64).flatMap({ String(validating: $0, as: UTF8.self) })
        else { return self }
        return .text(text)
    }
}
