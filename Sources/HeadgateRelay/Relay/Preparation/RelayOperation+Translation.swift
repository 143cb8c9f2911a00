internal import HeadgateDialects

extension RelayOperation {
    /// Returns the operation that an upstream receives: this one, or the one that its requests are translated to.
    package func outgoing(to upstream: Upstream) -> RelayOperation {
        if summarizes, !upstream.compacts(.responses) {
            return .of(upstream.speaks.contains(.responses) ? .responses : upstream.speaks.forTranslation)
        }
        guard let format else { return embeddingForm == nil ? self : .createEmbedding }
        guard let wire = format.wire else { return .of(upstream.speaks.forTranslation) }
        guard !upstream.speaks.contains(SpokenFormats(wire)) else { return self }
        return .of(upstream.speaks.forTranslation)
    }
}
