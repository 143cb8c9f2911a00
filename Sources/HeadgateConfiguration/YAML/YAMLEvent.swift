/// Event of the parser, reduced to the features that a configuration can use.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case scalar(String, isPlain: Bool)
        case sequenceStart
        case mappingStart
        case collectionEnd
        case alias
        case streamEnd
        /// The beginning of the stream and the end of a document.
        case boundary
    }

    let kind: Kind
    let position: SourcePosition
    /// An anchor, a tag or a tag directive that came with the event.
    let decoration: Decoration?

    enum Decoration {
        case anchor
        case tag
    }
}

/// A text that is not YAML.
struct YAMLSyntaxError: Error {
    let position: SourcePosition
    let message: String
}
