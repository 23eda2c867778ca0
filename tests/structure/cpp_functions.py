"""Finds the functions of a C++ source by its braces, without a compiler.

Enough for code as it is written here: comments, literals and preprocessor lines are blanked out, then each brace outside of functions is told apart
as a scope (namespace, class), an initializer, or the body of a function.
"""
import re

LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/'                       # comments
    r'|R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)"'  # raw strings
    r'|"(?:\\.|[^"\\\n])*"'                     # strings
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"     # characters, but not the marks between digits
    r'|^[ \t]*#(?:\\\n|[^\n])*',                # preprocessor, with lines that go on
    re.DOTALL | re.MULTILINE)
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
INITIALIZER_LIST = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:)")


def blanked(text):
    """The same text with spaces in place of comments, literals and preprocessor lines; lines stay where they are."""
    return LITERAL.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def without_brackets(text, opening, closing):
    """The text less what stands inside of balanced brackets."""
    kept, depth = [], 0
    for c in text:
        depth -= c == closing and depth > 0
        if depth == 0:
            kept.append(c)
        depth += c == opening
    return "".join(kept)


def without_templates(head):
    """A declaration less its `template <…>` and the arguments of templates."""
    head = re.sub(r"operator\s*[<>=]+", "operator", head)
    head = re.sub(r"->|<<|<=", " ", head)
    return without_brackets(head, "<", ">").replace("<>", "")


def kind_of(head):
    """What a brace opens after `head`, the text since the last statement: scope, initializer or function."""
    bare = without_templates(head)
    outside = without_brackets(bare, "(", ")")
    if SCOPE.search(outside) and not re.search(r"\)\s*(const|noexcept|override|final)*\s*$", bare):
        return "scope"
    if not bare.strip():
        return "scope"
    if "(" not in outside:
        return "initializer"
    if INITIALIZER_LIST.search(bare) and bare.rstrip()[-1] not in ")}":
        return "initializer"  # a member's, between a constructor and its body
    if re.search(r"=\s*$", bare):
        return "initializer"
    return "function"


def name_of(head):
    bare = without_templates(head)
    if found := re.search(r"TEST\w*\([^)]*\)", bare):
        return found[0]
    found = re.search(r"([~\w:]+)\s*\(", bare)
    return found[1].strip() if found else "?"


def functions(text):
    """Yields (name, first line, last line) of each function, signature included; lambdas belong to the function around them."""
    text = blanked(text)
    open_braces, start, line, line_of_head = [], 0, 1, 1
    inside = 0  # braces since a function began
    for at, c in enumerate(text):
        if c == "\n":
            line += 1
        if inside:
            inside += (c == "{") - (c == "}")
            if inside == 0:
                yield name, first, line
                start = at + 1
            continue
        if c == "{":
            head = text[start:at]
            kind = kind_of(head)
            if kind == "function":
                name, inside = name_of(head), 1
                first = line - head.lstrip().count("\n")
            else:
                open_braces.append(kind)
                if kind == "scope":
                    start = at + 1
        elif c == "}":
            if open_braces and open_braces.pop() == "scope":
                start = at + 1
        elif c == ";" and (not open_braces or open_braces[-1] == "scope"):
            start = at + 1
        elif c == ":" and re.search(r"\b(public|private|protected)\s*$", text[start:at]):
            start = at + 1
