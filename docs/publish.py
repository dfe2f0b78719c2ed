"""Hooks of MkDocs: pages that live outside docs/, comments, and links to code (`make site`).

README, changelog and contribution guide are pages of the site without being copied. What a page
links to outside docs/, and the programs inside it, become pages that show the code; so do the cells
of the notebooks.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ludex.io.markdown import FENCE, LINK, is_local, with_links, without_comments

ROOT = Path(__file__).parents[1]
OUTSIDE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
"""Files of the repository that are pages of the site, with their names there."""
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LOGO = ROOT / "ludex" / "web" / "parts" / "logo.svg"
NOTEBOOK = ".ipynb"
LANGUAGES = {".py": "python", ".js": "javascript", ".toml": "toml"}
# The theme would fetch these two for diagrams and for browsers of the last decade. We need neither.
FETCHED = re.compile(rb"https://unpkg\.com/(?=mermaid@|resize-observer-polyfill)")
CODE = """---
search: {{exclude: true}}
---
# {path}

{content}
"""


def on_files(files: Any, config: Any) -> Any:
    """Add the pages from outside docs/, the logo, and the code that pages link to."""
    from mkdocs.structure.files import File

    for name, page in OUTSIDE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / name)))
    files.append(File.generated(config, "logo.svg", abs_src_path=str(LOGO)))
    sources = [Path(one.abs_src_path) for one in files.documentation_pages()]
    for path in NOTEBOOKS:
        files.append(File.generated(config, site_path(path), content=notebook_page(path)))
    for path in sorted(linked_code(sources)):
        files.append(File.generated(config, site_path(path), content=code_page(path)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Return the text of a page without comments, with links to pages of the site."""
    source = page.file.abs_src_path
    if source is None:  # a page of code, or a notebook
        return markdown
    return with_site_links(without_comments(markdown), Path(source).parent, page.file.src_uri)


def with_site_links(text: str, folder: Path, page: str) -> str:
    """Return the text of a file in a folder with links that work on a page of the site."""

    def site_link(found: re.Match[str]) -> str:
        if not is_local(found):
            return found[0]
        address = relative(folder / found["target"], page) + (found["anchor"] or "")
        return f"{found['picture']}[{found['text']}]({address})"

    return with_links(text, site_link)


def on_post_build(config: Any) -> None:
    """Let the theme fetch nothing from other hosts."""
    for script in Path(config.site_dir).glob("assets/javascripts/*.js"):
        script.write_bytes(FETCHED.sub(b"", script.read_bytes()))


def links(source: Path) -> Iterator[Path]:
    """Yield the files and folders that a page links to."""
    prose = FENCE.sub("", without_comments(source.read_text(encoding="utf-8")))
    for found in LINK.finditer(prose):
        if is_local(found):
            yield (source.parent / found["target"]).resolve()


def linked_code(pages: list[Path]) -> set[Path]:
    """Return the code that pages link to, and what lies in the folders among it."""
    found = {path for page in pages for path in links(page) if is_code(path)}
    return found | {file for path in found if path.is_dir() for file in contents(path)}


def contents(folder: Path) -> list[Path]:
    """Return the programs in a folder."""
    return sorted(folder.glob("*.py"))


def is_code(path: Path) -> bool:
    """Return whether a file or folder is shown as code: it is no page, and no picture."""
    return path.is_dir() or path.suffix in LANGUAGES or path.name == "LICENSE"


def site_path(path: Path) -> str:
    """Return where the site has the page for a file or folder of the repository."""
    name = path.resolve().relative_to(ROOT).as_posix()
    if path.suffix == NOTEBOOK:
        return name.replace(NOTEBOOK, ".md")
    if is_code(path):
        return f"source/{name}{'/index' if path.is_dir() else ''}.md"
    return OUTSIDE.get(name) or name.removeprefix("docs/")


def relative(path: Path, page: str) -> str:
    """Return a link from a page of the site to a file or folder of the repository."""
    return os.path.relpath(site_path(path), os.path.dirname(page) or ".")


def notebook_page(path: Path) -> str:
    """Return the cells of a notebook as a page."""
    cells = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cells.append(with_site_links(text, path.parent, site_path(path)))
        else:
            cells.append(f"```python\n{text}\n```")
    words = f"The notebook is `notebooks/{path.name}`; `make notebooks` opens it with its pictures."
    return "\n\n".join([*cells, words])


def code_page(path: Path) -> str:
    """Return the page that shows a file, or the list of a folder's programs."""
    name = path.relative_to(ROOT).as_posix()
    if path.is_dir():
        lines = [f"- [{one.name}]({relative(one, site_path(path))})" for one in contents(path)]
        return CODE.format(path=name, content="\n".join(lines))
    language = LANGUAGES.get(path.suffix, "text")
    content = f"````{language}\n{path.read_text(encoding='utf-8')}````"
    return CODE.format(path=name, content=content)
