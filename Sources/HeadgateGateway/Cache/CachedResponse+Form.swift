internal import HTTPTypes
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgateRelay

extension CachedResponse {
    /// Returns the same reply in another form; nil if it cannot be converted, or is too long to be read on a loop.
    func converted(to form: CacheForm, of operation: RelayOperation) -> CachedResponse? {
        guard let format = operation.answerFormat, size <= LongDocument.threshold, head.isDocument == (form == .stream)
        else { return nil }
        let body = chunks.flatMap(\.bytes)
        let converted =
            switch form {
            case .stream: AnswerForms.stream(of: body, in: format)
            case .document: AnswerForms.document(of: body, in: format)
            }
        guard let converted else { return nil }
        return CachedResponse(
            head: head.converted(to: form), chunks: [CoalescedResponse.Chunk(bytes: converted, offset: 0)],
            storedAt: storedAt, expiresAt: expiresAt)
    }
}

extension CachedHead {
    /// Returns the head with the headers that belong to the form, and all others unchanged.
    fileprivate func converted(to form: CacheForm) -> CachedHead {
        let usual = [CacheForm.document: RelayFields.responseHead, .stream: EventStream.head]
        var fields = response.response.headerFields
        for field in usual[form.other]?.response.headerFields ?? [:] { fields[field.name] = nil }
        fields = (usual[form]?.response.headerFields ?? [:]) + fields
        return CachedHead(
            response: ServerResponseHead(HTTPResponse(status: response.response.status, headerFields: fields)),
            hasRequestID: hasRequestID, isDocument: form == .document)
    }
}
