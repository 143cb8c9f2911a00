/// Elements in one FIFO for each of several names, which are served in turn: a name with many waits behind itself and
/// not before others. Every operation takes constant time, removing from the middle too.
package struct FairQueue<Element: Sendable>: Sendable {
    /// Finds an element that still waits.
    package struct Ticket: Sendable {
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
        /// In the ring of lines.
        var previous: Int
        var next: Int
    }

    private var places = Arena<Place>()
    private var lines = Arena<Line>()
    private var lineOfName: [String: Int] = [:]
    /// The line that is served next.
    private var turn: Int?
    private var lastNumber: UInt64 = 0
    package private(set) var count = 0

    package mutating func append(_ element: Element, named name: String) -> Ticket {
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

    /// Takes the first of the line whose turn it is.
    mutating func popFirst() -> Element? {
        guard let line = turn else { return nil }
        turn = lines[line].next
        return take(lines[line].first)
    }

    /// - Returns: nil for an element that does not wait any more.
    package mutating func remove(_ ticket: Ticket) -> Element? {
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

    /// Last before the line whose turn it is.
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

/// Values in an array, whose places are used again.
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
