/// A parser event, reduced to the features that a configuration can use.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case scalar(String, isPlain: Bool)
        case sequenceStart
        case mappingStart
        case collectionEnd
        case alias
        case streamEnd
        /// Beginning of the stream or end of a document.
        case boundary
    }

    let kind: Kind
    let position: SourcePosition
    /// Anchor, tag or tag directive of the event.
    let decoration: Decoration?

    enum Decoration {
        case anchor
        case tag
    }
}

/// Error for a text that is not YAML.
struct YAMLSyntaxError: Error {
    let position: SourcePosition
    let message: String
}
