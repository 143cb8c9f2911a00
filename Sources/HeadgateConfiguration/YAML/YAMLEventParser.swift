import CLibyaml

/// Reads events from UTF-8 bytes with libyaml. Owns a copy of the bytes, because libyaml stores a pointer to its input.
struct YAMLEventParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>

    /// Creates a parser; nil only if libyaml cannot allocate its buffers.
    init?(_ text: [UInt8]) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = text.starts(with: byteOrderMark) ? text.dropFirst(byteOrderMark.count) : text[...]
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        guard yaml_parser_initialize(parser) != 0 else {
            parser.deallocate()
            return nil
        }
        let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = input.initialize(from: bytes)
        self.parser = parser
        self.input = input
        // libyaml would accept UTF-16 as well, but its offsets would not match this text.
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// Returns the next event. Must not be called again after an error or ``YAMLEvent/Kind/streamEnd``.
    mutating func next() throws(YAMLSyntaxError) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) != 0 else { throw syntaxError() }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(event)
    }

    private func syntaxError() -> YAMLSyntaxError {
        let problem = parser.pointee.problem.map { String(cString: $0) } ?? "the text cannot be read"
        if parser.pointee.error == YAML_READER_ERROR {
            return YAMLSyntaxError(
                position: position(ofOffset: parser.pointee.problem_offset),
                message: "malformed YAML: \(problem); save the file as UTF-8 text without control characters")
        }
        let context = parser.pointee.context.map { String(cString: $0) + ": " } ?? ""
        return YAMLSyntaxError(
            position: SourcePosition(parser.pointee.problem_mark),
            message: "malformed YAML: \(context)\(problem); check indentation, brackets and quotes here and just above")
    }

    /// Returns the position of a byte offset. A reader error has no mark, because libyaml decodes ahead of its scanner.
    private func position(ofOffset offset: Int) -> SourcePosition {
        var line = 1
        var column = 1
        for byte in input.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        return SourcePosition(line: line, column: column)
    }
}

extension SourcePosition {
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
    }
}

extension YAMLEvent {
    fileprivate init(_ event: yaml_event_t) {
        position = SourcePosition(event.start_mark)
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            kind = .scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
            decoration = Self.decoration(anchor: scalar.anchor, tag: scalar.tag)
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            kind = .sequenceStart
            decoration = Self.decoration(anchor: start.anchor, tag: start.tag)
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            kind = .mappingStart
            decoration = Self.decoration(anchor: start.anchor, tag: start.tag)
        case YAML_DOCUMENT_START_EVENT:
            let directives = event.data.document_start.tag_directives
            kind = .documentStart
            decoration = directives.start == directives.end ? nil : .tag
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
            kind = .collectionEnd
            decoration = nil
        case YAML_ALIAS_EVENT:
            kind = .alias
            decoration = nil
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT:
            kind = .streamEnd
            decoration = nil
        default:
            kind = .boundary
            decoration = nil
        }
    }

    private static func decoration(
        anchor: UnsafeMutablePointer<yaml_char_t>?, tag: UnsafeMutablePointer<yaml_char_t>?
    ) -> Decoration? {
        anchor != nil ? .anchor : tag != nil ? .tag : nil
    }
}
