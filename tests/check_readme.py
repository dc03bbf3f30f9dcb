"""Are the README and the list of files true? Its two commands are the ones CI ran, and every file is listed.

`python tests/check_readme.py --write` writes the list in `docs/files.md` anew from the files' own first lines. What the
code blocks of README and docs do is run by tests/docs.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- tree: begin -->", "<!-- tree: end -->"
COMMANDS = ("make demo", "make test")
ENTRY = ("app.py", "shell.py")
WHOLE = ("memorybank", "memorybank_studio", "memorybank_lab", "pages")
"""Folders whose files are listed."""
LIST = ROOT / "docs/files.md"
FOLDERS = {
    "assets/corpus/": "demo corpora, en and zh, with planted contradictions (truth.yaml) and their sources",
    "assets/i18n/": "every word of the app, English and 中文",
    "assets/images/": "images with text, for the recognition demo",
    "assets/recorded/": "recorded runs on the demo corpora, those of a model answered by hand, and their list",
    "assets/studio/": "demo stories of the writing studio",
    "docs/pictures/": "screenshots of a real demo run, made by `make pictures`",
    "tests/": "mirror the package; app/ and ui/ drive a real browser",
}
FILES = {
    "Makefile": "make demo, make test, make check, make docs",
    "requirements.txt": "what is installed",
    "pyproject.toml": "the package, its extras, and the settings of the tools",
    "THIRD_PARTY.md": "weights, fonts and scripts of others: where they lie, versions, licences",
    ".importlinter": "the import contract",
    "mkdocs.yml": "the site of the documents; requirements-docs.txt is what builds it",
    ".ci/run": "what continuous integration runs",
    ".streamlit/config.toml": "the app on loopback, no telemetry, small uploads, both themes",
    "assets/tasks.yaml": "ready research tasks",
    "assets/make_assets.py": "makes the demo PDF and images",
}


MOST_BYTES = 3_000_000
"""Of a picture in the README, a moving one too."""
MOST_LINES = 100
"""Of the README: what a visitor needs; the rest is a page of the docs."""


def first_line(path: Path) -> str:
    """A module's own words, up to the first full stop."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        doc = ast.get_docstring(ast.parse(text)) or ""
    else:
        doc = text.strip().splitlines()[0].strip("/*#- ") if text.strip() else ""
    line = doc.split("\n\n")[0].replace("\n", " ").strip()
    line = line.split(". ")[0].rstrip(".")
    return line if len(line) <= 100 else line[:97].rsplit(" ", 1)[0] + " …"


def tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted(name for name in listed.stdout.splitlines() if (ROOT / name).is_file())


def tree() -> str:
    """The entry and every file under `WHOLE`, with first lines."""
    lines = [name.ljust(46) + first_line(ROOT / name) for name in ENTRY]
    names = tracked()
    for folder in WHOLE:
        inside = [
            name
            for name in names
            if name.startswith(f"{folder}/") and Path(name).suffix in (".py", ".js", ".css", ".yaml")
        ]
        shown: set[str] = set()
        for name in inside:
            parts = name.split("/")
            for depth in range(1, len(parts)):
                path = "/".join(parts[:depth]) + "/"
                if path not in shown:
                    shown.add(path)
                    init = ROOT / path / "__init__.py"
                    about = first_line(init) if init.is_file() and init.read_text("utf-8").strip() else ""
                    lines.append(("  " * (depth - 1) + parts[depth - 1] + "/").ljust(46) + about)
            if parts[-1] != "__init__.py":
                lines.append(("  " * (len(parts) - 1) + parts[-1]).ljust(46) + first_line(ROOT / name))
    lines += [name.ljust(46) + about for name, about in {**FOLDERS, **FILES}.items()]
    return "\n".join(line.rstrip() for line in lines)


def architecture() -> list[str]:
    """What docs/architecture.md names and is not there, and rooms of the package that it does not name."""
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    named = re.findall(r"`([\w./-]+(?:\.py|/))`", text)
    gone = [one for one in named if not any((base / one).exists() for base in (ROOT, ROOT / "memorybank"))]
    rooms = {Path(one).parts[1] for one in tracked() if one.startswith("memorybank/") and one.count("/") > 1}
    unnamed = sorted(room for room in rooms if not re.search(rf"(?<![\w/]){room}/", text))
    return [
        *(f"docs/architecture.md names {one}, which is not there" for one in gone),
        *(f"docs/architecture.md does not name the room {room}/" for room in unnamed),
    ]


def links() -> list[str]:
    """Pictures and pages that the README leads to and that are not there; pictures too large to be looked at."""
    text = (ROOT / "README.md").read_text("utf-8")
    names = re.findall(r"!\[[^]]*\]\((\S+)\)", text)
    gone = [name for name in re.findall(r"\]\(([^)#:]+)", text) if not (ROOT / name).is_file()]
    large = [name for name in names if name not in gone and (ROOT / name).stat().st_size > MOST_BYTES]
    return [
        *(f"README leads to {name}, which is not there" for name in gone),
        *(f"{name} is larger than {MOST_BYTES:,} bytes" for name in large),
    ]


def main() -> int:
    text = (ROOT / "README.md").read_text("utf-8")
    problems: list[str] = []
    block = f"\n```text\n{tree()}\n```\n"
    before, _, rest = LIST.read_text("utf-8").partition(BEGIN)
    now, _, after = rest.partition(END)
    if "--write" in sys.argv:
        LIST.write_text(f"{before}{BEGIN}{block}{END}{after}", "utf-8")
        return 0
    if now != block:
        problems.append(f"the list in {LIST.name} is not the real one: run python tests/check_readme.py --write")
    problems += [f"README does not name `{command}`" for command in COMMANDS if command not in text]
    ci = (ROOT / ".ci/run").read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    if (lines := text.count("\n")) > MOST_LINES:
        problems.append(f"README has {lines} lines, more than {MOST_LINES}: the rest is a page of docs/")
    problems += [f".ci/run does not run `{command}`" for command in COMMANDS if command not in ci]
    problems += [f"Makefile has no target {one}" for one in ("demo", "test") if f"\n{one}:" not in makefile]
    for name in (*FOLDERS, *FILES):
        if not (ROOT / name).exists():
            problems.append(f"{LIST.name} names {name}, which is not there")
    problems += architecture() + links()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
