import Testing

@testable import HeadgateConfiguration

@Suite struct YAMLOutlineTests {
    @Test func entriesOfAMappingHaveTheirPlaces() throws {
        let outline = try YAMLOutline(
            "# Mine.\na: 1\nlist: # x\n  - id: b\n    deep: {id: no}\n  - c\nempty:\nflow: [{id: d}]\n")
        #expect(outline.root.shape == .mapping)
        #expect(outline.entries.map(\.key) == ["a", "list", "empty", "flow"])
        #expect(outline.entries.map(\.line) == [2, 3, 7, 8])
        #expect(outline.entries.map(\.value.shape) == [.scalar, .sequence, .empty, .sequence])
        #expect(outline.entries[1].value.line == 4 && outline.entries[1].value.column == 3)
        #expect(outline.entries[1].value.items == [["id": "b"]] && outline.entries[3].value.items == [["id": "d"]])
    }

    @Test func itemsOfAListAreTheRoots() throws {
        let outline = try YAMLOutline("- id: a\n  list: [1, {id: no}]\n  also: \"x\"\n- b\n-\n  id: c\n")
        #expect(outline.root.shape == .sequence && outline.entries.isEmpty)
        #expect(outline.root.items == [["id": "a", "also": "x"], ["id": "c"]])
    }

    @Test func anchorsAndAliasesAreValid() throws {
        let outline = try YAMLOutline("base: &b {x: 1}\nuse:\n  <<: *b\nlast: *b\n")
        #expect(outline.entries.map(\.key) == ["base", "use", "last"])
    }

    @Test(arguments: ["", "# only a comment\n", "---\n", "\n\n"]) func textWithoutAValueIsEmpty(text: String) throws {
        #expect(try YAMLOutline(text).root.shape == .empty)
    }

    @Test(arguments: ["a: [", "a: 1\n---\nb: 2\n", "\t- x"]) func otherTextIsRefused(text: String) {
        #expect(throws: YAMLOutline.Fault.self) { try YAMLOutline(text) }
    }
}
