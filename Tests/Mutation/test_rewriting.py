"""Rewriting of a source: it never changes types, and never affects strings and comments."""

import unittest

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


if __name__ == "__main__":
    unittest.main()
