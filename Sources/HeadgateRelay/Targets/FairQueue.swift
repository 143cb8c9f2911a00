/// A queue with one FIFO line for each name. The lines are served in turn, so that a name with many elements delays
/// only itself. Every operation takes constant time, including removal from the middle.
struct FairQueue<Element: Sendable>: Sendable {
    /// A reference to an element in the queue.
    struct Ticket: Sendable {
        fileprivate let place: Int
        fileprivate let number: UInt64
    }

    private struct Place: Sendable {
        let element: Element
        let number: UInt64
        let line: Int
        var previous: Int?
        var next: Int?
    }

    private struct Line: Sendable {
        let name: String
        var first: Int
        var last: Int
        /// Index of the previous line in the ring of lines.
        var previous: Int
        var next: Int
    }

    private var places = Arena<Place>()
    private var lines = Arena<Line>()
    private var lineOfName: [String: Int] = [:]
    /// The line that is served next.
    private var turn: Int?
    private var lastNumber: UInt64 = 0
    private(set) var count = 0

    mutating func append(_ element: Element, named name: String) -> Ticket {
        lastNumber += 1
        count += 1
        let known = lineOfName[name]
        let line = known ?? lines.insert(Line(name: name, first: 0, last: 0, previous: 0, next: 0))
        let place = places.insert(Place(element: element, number: lastNumber, line: line))
        if known == nil {
            lineOfName[name] = line
            lines[line].first = place
            addToRing(line)
        } else {
            let last = lines[line].last
            places[place].previous = last
            places[last].next = place
        }
        lines[line].last = place
        return Ticket(place: place, number: lastNumber)
    }

    /// Removes and returns the first element of the line whose turn it is; nil if the queue is empty.
    mutating func popFirst() -> Element? {
        guard let line = turn else { return nil }
        turn = lines[line].next
        return take(lines[line].first)
    }

    /// Removes an element from its line.
    ///
    /// - Returns: the element; nil if it is no longer in the queue.
    mutating func remove(_ ticket: Ticket) -> Element? {
        guard let place = places.get(ticket.place), place.number == ticket.number else { return nil }
        return take(ticket.place)
    }

    private mutating func take(_ index: Int) -> Element {
        let place = places.remove(index)
        count -= 1
        if let previous = place.previous { places[previous].next = place.next }
        if let next = place.next { places[next].previous = place.previous }
        switch (place.previous, place.next) {
        case (nil, nil): removeFromRing(place.line)
        case (nil, let next?): lines[place.line].first = next
        case (let previous?, nil): lines[place.line].last = previous
        case (_?, _?): break
        }
        return place.element
    }

    /// Inserts a line into the ring, directly before the line whose turn it is, so that it is served last.
    private mutating func addToRing(_ line: Int) {
        let next = turn ?? line
        let previous = turn.map { lines[$0].previous } ?? line
        lines[line].next = next
        lines[line].previous = previous
        lines[previous].next = line
        lines[next].previous = line
        turn = next
    }

    private mutating func removeFromRing(_ index: Int) {
        let line = lines.remove(index)
        lineOfName[line.name] = nil
        guard line.next != index else {
            turn = nil
            return
        }
        lines[line.previous].next = line.next
        lines[line.next].previous = line.previous
        if turn == index { turn = line.next }
    }
}

/// An array of values that reuses the indices of removed values.
private struct Arena<Value: Sendable>: Sendable {
    private var values: [Value?] = []
    private var free: [Int] = []

    mutating func insert(_ value: Value) -> Int {
        guard let index = free.popLast() else {
            values.append(value)
            return values.count - 1
        }
        values[index] = value
        return index
    }

    func get(_ index: Int) -> Value? { values[index] }

    mutating func remove(_ index: Int) -> Value {
        let value = self[index]
        values[index] = nil
        free.append(index)
        return value
    }

    subscript(index: Int) -> Value {
        get {
            guard let value = values[index] else { preconditionFailure("nothing is kept at \(index)") }
            return value
        }
        set { values[index] = newValue }
    }
}
