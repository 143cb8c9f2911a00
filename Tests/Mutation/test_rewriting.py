"""Rewriting of a source: it never changes types, and never affects strings and comments. The tests near a source."""

import tempfile
import unittest
from pathlib import Path

from mutate import suites_near
from rewriting import declaration, declarations, masked, name, rewritten, sites


def forms(line):
    return [(site.form, site.token, site.column) for site in sites("a.swift", f"{{\n{line}\n}}")]


class Rewriting(unittest.TestCase):
    def test_operators_and_constants_are_found_in_place(self):
        self.assertEqual(forms("let a = b < 16 && c != nil"),
                         [("infix", "<", 10), ("infix", "&&", 15), ("infix", "!=", 20), ("constant", "", 12)])

    def test_only_sums_of_numbers_change(self):
        self.assertEqual(forms("a = b + c"), [])
        self.assertEqual([form for form, _, _ in forms("a = b + 1")], ["infix", "constant"])

    def test_conditions_are_single_terms(self):
        self.assertEqual(forms("if a.isOpen {"), [("condition", "", 3)])
        self.assertEqual(forms("if let a {"), [])
        self.assertEqual(forms("guard !a.isOpen else {"), [("not", "!", 6)])

    def test_calls_are_dropped_only_as_statements(self):
        self.assertEqual(forms("    close()"), [("call", "", 0)])
        self.assertEqual(forms("    let a = close()"), [])
        self.assertEqual(sites("a.swift", "let a =\n    close()\n"), [])
        self.assertEqual(sites("a.swift", "{\n    close()\n        .map()\n}"), [])

    def test_texts_comments_and_declarations_stay(self):
        for line in ('x("a < b && 3")', "// a < b", "/* a < b */", 'x(#"a < "b"#)', 'x("\\(a < b)")', "import A",
                     "func < (a: Int) {", "case a = 1", "precondition(a < b)", "extension A where B == C {",
                     "a.reserveCapacity(3)"):
            self.assertEqual([form for form in forms(line) if form[0] != "call"], [], line)

    def test_mask_keeps_every_position(self):
        text = 'a("x", """\n  y < z\n  """) // w\nb < c'
        self.assertEqual([len(line) for line in masked(text).split("\n")], [len(line) for line in text.split("\n")])

    def test_all_changes_of_a_line_coexist(self):
        text = "// Head\nimport A\n\n{\n    store(max(a, 2) < b, !c)\n}\n"
        numbered = list(enumerate(sites("a.swift", text), 1))
        self.assertEqual(rewritten(text, numbered).split("\n")[1:5], [
            "public import Mutants; import A", "", "{",
            f"    if !mutant(5) {{ store(mutated_max(4, a, +~{name(3)}2) <{name(1)} b, !~{name(2)}c) }}"])

    def test_every_change_has_its_operator(self):
        site = sites("a.swift", "{\na < b\n}")[0]
        self.assertIn(f"infix operator <{name(300)}: ComparisonPrecedence", declaration(300, site))
        self.assertIn("mutant(300) ? a <= b : a < b", declarations([(300, site)]))
        self.assertEqual(len({name(number) for number in range(2000)}), 2000)


class Nearness(unittest.TestCase):
    def near(self, source, *tests):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in [(source, "struct Gate {}"), *tests]:
                file = Path(folder, path)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            return suites_near(source, ["HubTests", "OtherTests"], Path(folder))

    def test_suites_of_the_same_folder_are_near(self):
        self.assertEqual(self.near(
            "Sources/Hub/Keys/Gate.swift", ("Tests/HubTests/Keys/A.swift", "struct ATests"),
            ("Tests/OtherTests/Keys/B.swift", "class BTests"), ("Tests/HubTests/C.swift", "struct CTests"),
            ("Tests/HubTests/Cache/D.swift", "struct DTests")), ["ATests", "BTests"])

    def test_suites_outside_all_folders_are_near_a_source_outside_all_folders(self):
        self.assertEqual(self.near(
            "Sources/Hub/Gate.swift", ("Tests/HubTests/A.swift", "struct ATests"),
            ("Tests/HubTests/Keys/B.swift", "struct BTests"), ("Tests/OtherTests/C.swift", "struct CTests")),
            ["ATests"])

    def test_suites_that_mention_a_type_or_have_the_name_of_the_file_are_near(self):
        self.assertEqual(self.near(
            "Sources/Hub/Keys/Door.swift", ("Tests/OtherTests/A.swift", "struct ATests { let gate: Gate }"),
            ("Tests/OtherTests/DoorTests.swift", "struct DoorTests"), ("Tests/OtherTests/B.swift", "struct BTests")),
            ["ATests", "DoorTests"])


if __name__ == "__main__":
    unittest.main()
