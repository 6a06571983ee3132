"""Pages in Markdown."""
import re


def links(page):
    """The files that a page's links lead to, as they are written; code blocks hold none."""
    prose = re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)
    return [target for target in re.findall(r"\]\(([^)#]+)\)", prose) if "://" not in target]


def snippets(page):
    """The code blocks of a page, as (language, part, text); a block's part is the word behind its language."""
    return re.findall(r"^```(\w+)(?: (\w+))?\n(.*?)^```", page, re.M | re.S)


def snippet(page, language, part=None):
    """The code blocks of one kind, joined: they are pieces of one file."""
    return "\n".join(text for kind, name, text in snippets(page) if (kind, name or None) == (language, part))
