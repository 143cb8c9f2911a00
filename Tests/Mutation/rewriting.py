"""Places in a Swift file where a token can be replaced without changing types, and the rewritten files.

Each mutation is a separate operator: `a < b` becomes `a <∀∁ b`. It has the original's precedence, so that the operands
need no analysis, and behaves like the original unless its mutation is switched on.
"""

import re
from dataclasses import dataclass

# For each token: its replacement, its precedence group, and the type of its operands.
INFIX = {
    "<": ("<=", "ComparisonPrecedence", "Comparable"),
    "<=": ("<", "ComparisonPrecedence", "Comparable"),
    ">": (">=", "ComparisonPrecedence", "Comparable"),
    ">=": (">", "ComparisonPrecedence", "Comparable"),
    "==": ("!=", "ComparisonPrecedence", "Equatable"),
    "!=": ("==", "ComparisonPrecedence", "Equatable"),
    "&&": ("||", "LogicalConjunctionPrecedence", None),
    "||": ("&&", "LogicalDisjunctionPrecedence", None),
    "+": ("-", "AdditionPrecedence", "AdditiveArithmetic"),
    "-": ("+", "AdditionPrecedence", "AdditiveArithmetic"),
    "&+": ("&-", "AdditionPrecedence", "FixedWidthInteger"),
    "&-": ("&+", "AdditionPrecedence", "FixedWidthInteger"),
    "+=": ("-=", "AssignmentPrecedence", "AdditiveArithmetic"),
    "-=": ("+=", "AssignmentPrecedence", "AdditiveArithmetic"),
}
KINDS = {"<": "boundary", "<=": "boundary", ">": "boundary", ">=": "boundary", "==": "equality", "!=": "equality",
         "&&": "logic", "||": "logic"}
FORMS = [
    # The operators are between spaces, unlike the brackets of a generic list. Strings have no subtraction, so + needs a
    # number.
    ("infix", re.compile(r"(?<= )(?:<=?|>=?|[=!]=|&&|\|\||-=?|&[+-]|\+=?(?= \d))(?= \S)")),
    ("not", re.compile(r"(?<=[ (])!(?=[\w(.])")),
    ("condition", re.compile(
        r"(?:(?<=\bif )|(?<=\bguard ))(?=[a-z][\w.]*(?:\([^(){}]*\))?(?: \{| else \{|,| &&| \|\|))")),
    ("boolean", re.compile(r"(?<=return )(?=(?:true|false)$)")),
    ("constant", re.compile(r"(?<=[ (\[])(?=\d[\d_]*(?:[ )\],]|$))")),
    ("extreme", re.compile(r"(?<![\w.])(?:min|max)\((?=\S)")),
    ("call", re.compile(r"^ +(?=(?:try |await |self\.)*[a-z][\w.?!]*\(.*\)$)")),
]
# Type names, declarations, compiler directives, reserved capacity, and calls that end the process.
SKIPPED = re.compile(
    r"^\s*(?:#|@|import|(?:(?:public|package|private|static|final|mutating|override) )*(?:func|init|struct|enum|class"
    r"|extension|protocol|typealias|subscript|actor|associatedtype)\b|(?:indirect )?case \w+ = |\S+ where\b|where\b)"
    r"|\bwhere \w+(?:\.\w+)* ==|[Cc]apacity|precondition|assert|fatalError|hash\(into|super\.|\binit\("
)
OPEN_END = re.compile(r"(?:[,(\[=?|&<>+*/-]|\b(?:return|in|try|await))$")
CONTINUED = re.compile(r"\s*(?:[.?+*/&|<>=)\]-]|\bin\b)")


@dataclass(frozen=True)
class Site:
    """A place that can change: its file, its line and column (both from 0), the token, and the kind of change."""

    path: str
    line: int
    column: int
    token: str
    form: str

    @property
    def kind(self):
        if self.form == "infix":
            return KINDS.get(self.token, "arithmetic")
        return {"not": "condition", "boolean": "condition"}.get(self.form, self.form)

    @property
    def change(self):
        return {
            "infix": lambda: f"`{self.token}` → `{INFIX[self.token][0]}`",
            "not": lambda: "`!` dropped",
            "condition": lambda: "condition negated",
            "boolean": lambda: "result negated",
            "constant": lambda: "constant + 1",
            "extreme": lambda: "`min(` ↔ `max(`",
            "call": lambda: "call dropped",
        }[self.form]()


def masked(text):
    """Returns the text with spaces instead of comments and the content of string literals."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|(#*)"""(?:.*?)"""\1|(#+)".*?"\2|"(?:[^"\\\n]|\\\((?:[^()\n]|\([^()\n]*\))*\)|\\.)*"', re.S)
    return pattern.sub(lambda match: re.sub(r"[^\n]", lambda _: "_" if match[0][0] in '"#' else " ", match[0]), text)


def sites(path, text):
    """Returns all places of a file that can change."""
    lines = masked(text).split("\n")
    found = []
    for number, line in enumerate(lines):
        if SKIPPED.search(line):
            continue
        before = next((other.rstrip() for other in reversed(lines[:number]) if other.strip()), "")
        after = next((other for other in lines[number + 1:] if other.strip()), "")
        for form, pattern in FORMS:
            if form == "call" and (OPEN_END.search(before) or CONTINUED.match(after) or CONTINUED.match(line.strip())):
                continue
            found += [Site(path, number, match.start(), match[0].strip(), form) for match in pattern.finditer(line)]
    return found


def name(number):
    """Returns the characters that end the names of a mutation's operators."""
    return chr(0x2200 + number // 128) + chr(0x2200 + number % 128)


def replacement(site, number):
    """Returns the text that replaces the token of a site."""
    if site.form == "infix":
        return site.token + name(number)
    if site.form == "extreme":
        return f"mutated_{site.token[:3]}({number}, "
    return {"constant": "+~", "call": ""}.get(site.form, "!~") + name(number)


def rewritten(text, numbered):
    """Returns the text of a file with its numbered mutations, and the declarations of their operators."""
    lines = text.split("\n")
    for number, site in sorted(numbered, key=lambda each: (each[1].line, -each[1].column)):
        line = lines[site.line]
        if site.form == "call":
            start = len(line) - len(line.lstrip())
            lines[site.line] = f"{line[:start]}if !mutant({number}) {{ {line[start:]} }}"
            continue
        length = 0 if site.form in ("condition", "boolean", "constant") else len(site.token)
        lines[site.line] = line[:site.column] + replacement(site, number) + line[site.column + length:]
    first = next(index for index, line in enumerate(lines) if line.strip() and not line.startswith(("//", "#")))
    lines[first] = "public import Mutants; " + lines[first]
    return "\n".join(lines)


def declaration(number, site):
    """Returns the declaration of a mutation's operator, in Swift."""
    end = name(number)
    if site.form == "infix":
        other, precedence, operands = INFIX[site.token]
        head = f"infix operator {site.token}{end}: {precedence}\n"
        choice = f"mutant({number}) ? a {other} b : a {site.token} b"
        if precedence == "AssignmentPrecedence":
            return head + (f"public func {site.token}{end} <T: {operands}>(a: inout T, b: T) "
                           f"{{ if mutant({number}) {{ a {other} b }} else {{ a {site.token} b }} }}")
        if operands is None:
            return head + (f"public func {site.token}{end} (a: Bool, b: @autoclosure () throws -> Bool) rethrows "
                           f"-> Bool {{ try mutant({number}) ? a {other} b() : a {site.token} b() }}")
        result = "Bool" if precedence == "ComparisonPrecedence" else "T"
        text = head + f"public func {site.token}{end} <T: {operands}>(a: T, b: T) -> {result} {{ {choice} }}"
        if operands == "Equatable":
            text += (f"\npublic func {site.token}{end} <T>(a: T?, b: _OptionalNilComparisonType) -> Bool "
                     f"{{ {choice} }}")
        return text
    if site.form == "not":
        return f"prefix operator !~{end}\npublic prefix func !~{end} (a: Bool) -> Bool {{ mutant({number}) ? a : !a }}"
    if site.form in ("condition", "boolean"):
        return f"prefix operator !~{end}\npublic prefix func !~{end} (a: Bool) -> Bool {{ mutant({number}) ? !a : a }}"
    if site.form == "constant":
        return (f"prefix operator +~{end}\npublic prefix func +~{end} <T: Numeric>(a: T) -> T "
                f"{{ mutant({number}) ? a + 1 : a }}")
    return ""


HEADER = """import Glibc

private let active: Int = getenv("HEADGATE_MUTANT").flatMap { Int(String(cString: $0)) } ?? -1

@inline(never) public func mutant(_ number: Int) -> Bool { number == active }

public func mutated_min<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> T { mutant(number) ? max(a, b) : min(a, b) }

public func mutated_max<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> T { mutant(number) ? min(a, b) : max(a, b) }
"""


def declarations(numbered):
    return HEADER + "\n" + "\n".join(declaration(number, site) for number, site in numbered) + "\n"
