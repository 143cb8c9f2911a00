/// Finds choices that generated code could not decode in a reasonable time.
///
/// Without a discriminator, schemas are tried one after the other, with all that a value contains. If two of them read
/// the same member and both find the same choice in it again, each level of the JSON doubles the work. A short body
/// could then keep a server busy for years.
struct DecodingCost {
    private let graph: SchemaGraph

    init(_ schemas: SchemaTable) { graph = SchemaGraph(schemas) }

    /// Problems with the choices that have them.
    var problems: [(schema: Schema, message: String)] {
        graph.schemas.enumerated().compactMap { index, schema in
            let keyword: String
            switch schema.shape {
            case .oneOf: keyword = "oneOf"
            case .anyOf: keyword = "anyOf"
            case .allOf: keyword = "allOf"
            default: return nil
            }
            if graph.isItsOwnChoice(index) {
                return (schema, "'\(keyword)' leads back to itself, with no member in between")
            }
            guard let step = doubledStep(of: index) else { return nil }
            return (
                schema,
                "several schemas of '\(keyword)' lead back to it \(DecodingCost.text(step)), so that decoding "
                    + "takes twice the time for each level: a 'discriminator' tells them apart, or a required "
                    + "'const' of each that stands before"
            )
        }
    }

    private static func text(_ step: SchemaGraph.Step) -> String {
        switch step {
        case .member(let name): "by their member '\(name)'"
        case .anyMember: "by members of any name"
        case .items: "by their items"
        }
    }

    /// Returns a step that is taken twice from one value, both times on a path back to this choice.
    private func doubledStep(of choice: Int) -> SchemaGraph.Step? {
        let moves = graph.moves(from: choice)
        var twins: [(SchemaGraph.Move, SchemaGraph.Move)] = []
        for (number, move) in moves.enumerated() {
            twins += moves[..<number].filter { graph.areCompatible($0, move) }.map { ($0, move) }
        }
        guard !twins.isEmpty else { return nil }
        let holders = graph.holders(of: choice)
        return twins.first { leads(Pair($0.target, $1.target), to: choice, among: holders) }?.0.step
    }

    /// Two schemas as which one value is decoded.
    private struct Pair: Hashable {
        let first: Int
        let second: Int

        init(_ first: Int, _ second: Int) {
            self.first = first
            self.second = second
        }
    }

    /// Returns whether a value inside one that is decoded as both schemas is itself decoded as the choice twice.
    private func leads(_ start: Pair, to choice: Int, among holders: Set<Int>) -> Bool {
        var seen: Set<Pair> = []
        var waiting = [start]
        while let pair = waiting.popLast() {
            guard holders.contains(pair.first), holders.contains(pair.second), seen.insert(pair).inserted else {
                continue
            }
            if pair.first == choice, pair.second == choice { return true }
            let others = graph.moves(from: pair.second)
            for move in graph.moves(from: pair.first) {
                waiting += others.filter { graph.areCompatible(move, $0) }.map { Pair(move.target, $0.target) }
            }
        }
        return false
    }
}
