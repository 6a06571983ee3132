"""Pages in Markdown."""
import re


def links(page):
    """The files that a page's links lead to, as they are written; code blocks hold none."""
    prose = re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)
    return [target for target in re.findall(r"\]\(([^)#]+)\)", prose) if "://" not in target]
