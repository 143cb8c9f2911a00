/// Graph of the schemas that are tried for a JSON value, and for the values inside it.
struct SchemaGraph {
    /// A step from a value to a value inside it.
    enum Step: Hashable {
        case member(String)
        case anyMember
        case items
    }

    /// A step that decoding takes, on one path through the choices of the outer value.
    struct Move {
        let step: Step
        let target: Int
        /// Index of the object, the list or the dictionary that is decoded.
        let owner: Int
        /// Choices on the path to the owner, with the index of the schema that is tried.
        let picks: [(choice: Int, index: Int)]
    }

    /// All schemas that are decoded, with those of the components first.
    private(set) var schemas: [Schema] = []
    private let table: SchemaTable
    private var named: [String: Int] = [:]
    private var steps: [[(step: Step, target: Int)]] = []
    private var choices: [[Int]] = []

    init(_ table: SchemaTable) {
        self.table = table
        for name in table.names { if let schema = table[name] { named[name] = add(schema) } }
        var index = 0
        while index < schemas.count {
            expand(index)
            index += 1
        }
    }

    private mutating func add(_ schema: Schema) -> Int {
        schemas.append(schema)
        steps.append([])
        choices.append([])
        return schemas.count - 1
    }

    private mutating func index(of schema: Schema) -> Int {
        if case .reference(let name) = schema.shape, let index = named[name] { return index }
        return add(schema)
    }

    private mutating func expand(_ index: Int) {
        switch schemas[index].shape {
        case .object(let properties, let others):
            steps[index] = properties.map { (.member($0.name), self.index(of: $0.schema)) }
            if case .values(let schema) = others { steps[index].append((.anyMember, self.index(of: schema))) }
        case .array(let items): steps[index] = [(.items, self.index(of: items))]
        case .map(let values): steps[index] = [(.anyMember, self.index(of: values))]
        case .oneOf(let all, _), .anyOf(let all), .allOf(let all): choices[index] = all.map { self.index(of: $0) }
        // An alias of a schema.
        case .reference(let name): if let target = named[name] { choices[index] = [target] }
        case .scalar, .enumeration, .integers, .any, .anyObject, .untyped: break
        }
    }

    // MARK: Paths

    /// Returns the steps that decoding a value can take. The result is incomplete if nested choices result in thousands
    /// of paths.
    func moves(from index: Int) -> [Move] {
        var found: [Move] = []
        var rest = SchemaGraph.mostWays
        collect(index, by: [], &found, &rest)
        return found
    }

    private static let mostWays = 4096

    private func collect(
        _ index: Int, by picks: [(choice: Int, index: Int)], _ found: inout [Move], _ rest: inout Int
    ) {
        rest -= 1
        guard rest >= 0, !picks.contains(where: { $0.choice == index }) else { return }
        found += steps[index].map { Move(step: $0.step, target: $0.target, owner: index, picks: picks) }
        for (number, choice) in choices[index].enumerated() {
            collect(choice, by: picks + [(index, number)], &found, &rest)
        }
    }

    /// Returns whether a choice is directly one of its own schemas.
    func isItsOwnChoice(_ index: Int) -> Bool { reached(from: choices[index]) { choices[$0] }.contains(index) }

    /// Returns the schemas whose values can contain a value of this schema, at any depth.
    func holders(of index: Int) -> Set<Int> {
        var outer: [[Int]] = schemas.map { _ in [] }
        for owner in schemas.indices {
            for target in steps[owner].map(\.target) + choices[owner] { outer[target].append(owner) }
        }
        return reached(from: [index]) { outer[$0] }
    }

    private func reached(from start: [Int], _ next: (Int) -> [Int]) -> Set<Int> {
        var found: Set<Int> = []
        var waiting = start
        while let index = waiting.popLast() { if found.insert(index).inserted { waiting += next(index) } }
        return found
    }

    // MARK: Incompatible steps

    /// Returns whether decoding of one value can take both steps.
    func areCompatible(_ first: Move, _ second: Move) -> Bool {
        switch (first.step, second.step) {
        case (.items, .items), (.anyMember, .anyMember), (.member, .anyMember), (.anyMember, .member): break
        case (.member(let name), .member(let other)):
            guard name == other, !areToldApart(first.owner, second.owner, before: name) else { return false }
        default: return false
        }
        return first.picks.allSatisfy { pick in
            guard case .oneOf(_, _?) = schemas[pick.choice].shape else { return true }
            // A discriminator has only one value.
            return !second.picks.contains { $0.choice == pick.choice && $0.index != pick.index }
        }
    }

    /// Returns whether no object can be decoded as both schemas up to a member, because both require an earlier member
    /// with different values.
    private func areToldApart(_ first: Int, _ second: Int, before name: String) -> Bool {
        let (left, right) = (fixedValues(of: first, before: name), fixedValues(of: second, before: name))
        return left.contains { member, values in right[member].map(values.isDisjoint) ?? false }
    }

    private func fixedValues(of index: Int, before name: String) -> [String: Set<String>] {
        guard case .object(let properties, _) = schemas[index].shape else { return [:] }
        var found: [String: Set<String>] = [:]
        for property in properties.prefix(while: { $0.name != name }) where property.isRequired {
            let schema = table.resolved(property.schema)
            guard case .enumeration(let cases) = schema.shape, !schema.isNullable, !property.schema.isNullable else {
                continue
            }
            found[property.name] = Set(cases)
        }
        return found
    }
}
