"""The rows of a run as a table for people (and as Markdown, which is the same text)."""
import statistics


def _number(value):
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _value(value, unit):
    if unit == "µs" and value >= 10_000:
        value, unit = value / 1000, "ms"
    if unit == "KB":
        return f"{value:,.0f} {unit}"
    return f"{_number(value)} {unit}".rstrip()


def _target(row):
    if row.at_most is not None:
        return f"≤ {row.at_most:.4g}"
    if row.at_least is not None:
        return f"≥ {row.at_least:.4g}"
    return ""


def _cells(row):
    figures = row.figures()
    spread = f"{_number(min(figures))}–{_number(max(figures))}"
    times = "" if row.against is None else "×"
    other = "" if row.against is None else f"{row.against} {_value(statistics.median(row.other), row.unit)}"
    ours = _value(statistics.median(row.ours), row.unit)
    verdict = {None: "", True: "met", False: "MISSED"}[row.met()]
    return [row.quantity, row.name, ours, other, _number(row.figure()) + times, spread, _target(row), verdict]


HEAD = ["quantity", "what", "ours", "against", "figure", "min–max", "target", ""]


def draw(rows):
    """Lines of a table. `figure` is how many times as much as the other ours takes; against the reference how
    many times as fast it is; ours itself where there is nothing to compare with. Medians over the rounds."""
    lines = [HEAD] + [_cells(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    left = {0, 1, 3, 7}

    def drawn(line):
        cells = [cell.ljust(width) if i in left else cell.rjust(width)
                 for i, (cell, width) in enumerate(zip(line, widths))]
        return "| " + " | ".join(cells) + " |"

    rule = "|" + "|".join("-" * (width + 1) + (" " if i in left else ":") for i, width in enumerate(widths)) + "|"
    rule = rule.replace(" |", "-|")
    return "\n".join([drawn(lines[0]), rule] + [drawn(line) for line in lines[1:]])
