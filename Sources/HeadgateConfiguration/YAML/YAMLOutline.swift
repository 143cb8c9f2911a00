/// Positions of a YAML document's top-level values, for edits that leave all other lines unchanged.
package struct YAMLOutline: Sendable {
    package enum Shape: Sendable, Equatable {
        case empty, mapping, sequence, scalar
    }

    /// A value that begins at a line and a column, both counted from 1.
    package struct Value: Sendable {
        package let shape: Shape
        package let line: Int
        package let column: Int
        /// Items of a sequence that are mappings, each with its scalars.
        package var items: [[String: String]] = []
    }

    /// A key of the top-level mapping.
    package struct Entry: Sendable {
        package let key: String
        package let line: Int
        package internal(set) var value: Value
    }

    package private(set) var root = Value(shape: .empty, line: 1, column: 1)
    package private(set) var entries: [Entry] = []

    /// - Throws: ``Fault`` for text that is not one YAML document.
    package init(_ text: String) throws(Fault) {
        guard var parser = YAMLEventParser(Array(text.utf8)) else { throw Fault(line: 1, reason: "out of memory") }
        var reader = YAMLOutlineReader()
        do throws(YAMLSyntaxError) {
            while true {
                let event = try parser.next()
                if case .streamEnd = event.kind { break }
                reader.take(event)
            }
        } catch {
            throw Fault(line: error.position.line, reason: error.message)
        }
        guard reader.documents <= 1 else { throw Fault(line: 1, reason: "there is more than one document in it") }
        (root, entries) = (reader.root, reader.entries)
    }

    /// The reason why a text has no outline.
    package struct Fault: Error {
        package let line: Int
        package let reason: String
    }
}

/// Follows the events of one document down to the scalars of items, and ignores deeper levels.
struct YAMLOutlineReader {
    private struct Level {
        let isMapping: Bool
        var key: String?
        var awaitsKey: Bool { isMapping && key == nil }
    }

    private(set) var root = YAMLOutline.Value(shape: .empty, line: 1, column: 1)
    private(set) var entries: [YAMLOutline.Entry] = []
    private(set) var documents = 0
    private var levels: [Level] = []

    mutating func take(_ event: YAMLEvent) {
        switch event.kind {
        case .documentStart: documents += 1
        case .scalar(let text, _): takeScalar(text, event.position)
        case .alias: takeScalar("", event.position)
        case .sequenceStart: open(.sequence, event.position)
        case .mappingStart: open(.mapping, event.position)
        case .collectionEnd:
            levels.removeLast()
            finishValue()
        case .boundary, .streamEnd: break
        }
    }

    private mutating func takeScalar(_ text: String, _ position: SourcePosition) {
        guard let level = levels.last else {
            if !text.isEmpty { root = value(.scalar, position) }
            return
        }
        if level.awaitsKey {
            levels[levels.count - 1].key = text
            if levels.count == 1 {
                let none = YAMLOutline.Value(shape: .empty, line: position.line, column: position.column)
                entries.append(YAMLOutline.Entry(key: text, line: position.line, value: none))
            }
            return
        }
        if levels.count == 1, level.isMapping, !text.isEmpty { setEntry(value(.scalar, position)) }
        if let key = level.key { note(text, under: key) }
        finishValue()
    }

    private mutating func open(_ shape: YAMLOutline.Shape, _ position: SourcePosition) {
        let isItem = levels.last?.isMapping == false
        switch levels.count {
        case 0: root = value(shape, position)
        case 1 where isItem: root.items.append([:])
        case 1: setEntry(value(shape, position))
        case 2 where isItem && levels[0].isMapping: entries[entries.count - 1].value.items.append([:])
        default: break
        }
        levels.append(Level(isMapping: shape == .mapping))
    }

    /// Adds a scalar to the item that it belongs to.
    private mutating func note(_ text: String, under key: String) {
        switch levels.map(\.isMapping) {
        case [false, true]: root.items[root.items.count - 1][key] = text
        case [true, false, true]:
            let last = entries.count - 1
            entries[last].value.items[entries[last].value.items.count - 1][key] = text
        default: break
        }
    }

    private mutating func setEntry(_ value: YAMLOutline.Value) {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1].value = value
    }

    private mutating func finishValue() {
        guard !levels.isEmpty, levels[levels.count - 1].isMapping else { return }
        levels[levels.count - 1].key = nil
    }

    private func value(_ shape: YAMLOutline.Shape, _ position: SourcePosition) -> YAMLOutline.Value {
        YAMLOutline.Value(shape: shape, line: position.line, column: position.column)
    }
}
