import Testing

@testable import HeadgateClient
@testable import HeadgateFoundationModels

@Suite struct ToolCallPiecesTests {
    private typealias Piece = ToolCallPieces.Piece

    private func pieces(_ chunks: [[ToolCallFragment]]) -> [[Piece]] {
        var calls = ToolCallPieces()
        return chunks.map { calls.add($0) }
    }

    private func fragment(_ index: Int?, _ id: String?, _ name: String?, _ arguments: String?) -> ToolCallFragment {
        ToolCallFragment(index: index, id: id, name: name, arguments: arguments)
    }

    @Test func argumentsAreReportedAsTheyArrive() {
        let told = pieces([
            [fragment(0, "a", "weather", "")], [fragment(0, nil, nil, #"{"city""#)], [],
            [fragment(0, nil, nil, #": "Köln"}"#), fragment(1, "b", "time", "{}")],
        ])
        #expect(
            told == [
                [Piece(id: "a", name: "weather", arguments: "")],
                [Piece(id: "a", name: "weather", arguments: #"{"city""#)], [],
                [
                    Piece(id: "a", name: "weather", arguments: #": "Köln"}"#),
                    Piece(id: "b", name: "time", arguments: "{}"),
                ],
            ])
    }

    /// Some servers send no index, and the id and name in every fragment.
    @Test func everyPieceHasItsIDAndName() {
        let told = pieces([[fragment(nil, "a", "weather", "{")], [fragment(nil, "a", "weather", "}")]])
        #expect(told.flatMap { $0 }.map(\.id) == ["a", "a"])
        #expect(told.flatMap { $0 }.map(\.arguments).joined() == "{}")
    }

    @Test func callWithoutANameWaitsForIt() {
        let told = pieces([[fragment(0, "a", nil, "{")], [fragment(0, nil, "weather", "}")]])
        #expect(told == [[], [Piece(id: "a", name: "weather", arguments: "{}")]])
    }
}
