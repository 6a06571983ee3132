"""What was measured: one row a comparison, a sample of it each round, and whether it meets its target."""
import statistics


class Row:
    """Ours against something else, or against a bound.

    quantity   the part of the table it belongs to
    name       what is measured
    unit       of both values
    against    what ours is compared with; None: ours alone counts
    at_most    what the figure may be at the most
    at_least   what it has to be at the least
    faster     the figure tells how many times as fast as the other ours is, not how many times as much it takes
    """

    def __init__(self, quantity, name, unit, against=None, at_most=None, at_least=None, faster=False):
        self.quantity, self.name, self.unit, self.against = quantity, name, unit, against
        self.at_most, self.at_least, self.faster = at_most, at_least, faster
        self.ours, self.other = [], []

    def add(self, ours, other=None):
        self.ours.append(ours)
        if self.against is not None:
            self.other.append(other)

    def figures(self):
        """One figure a round: what the target speaks of."""
        if self.against is None:
            return self.ours
        if self.faster:
            return [other / ours for ours, other in zip(self.ours, self.other)]
        return [ours / other for ours, other in zip(self.ours, self.other)]

    def figure(self):
        return statistics.median(self.figures())

    def met(self):
        """None: it has no target."""
        if self.at_most is not None:
            return self.figure() <= self.at_most
        if self.at_least is not None:
            return self.figure() >= self.at_least
        return None

    def excess(self):
        """Of a row that misses its target: how far it is from it."""
        if self.at_most is not None:
            return f"{self.figure():.3g} instead of at most {self.at_most:.3g} (by {self.figure() / self.at_most - 1:.0%})"
        return f"{self.figure():.3g} instead of at least {self.at_least:.3g} (by {1 - self.figure() / self.at_least:.0%})"

    def json(self):
        figures = self.figures()
        return {
            "quantity": self.quantity, "name": self.name, "unit": self.unit, "against": self.against,
            "ours": self.ours, "other": self.other,
            "figure": {"min": min(figures), "median": self.figure(), "max": max(figures),
                       "is": "ours" if self.against is None else "other/ours" if self.faster else "ours/other"},
            "at_most": self.at_most, "at_least": self.at_least, "met": self.met()}


class Rows:
    """The rows of a run, in the order in which they first got a sample."""

    def __init__(self):
        self._rows = {}

    def add(self, quantity, name, unit, ours, other=None, **about):
        key = (quantity, name, about.get("against"))
        row = self._rows.get(key)
        if row is None:
            row = self._rows[key] = Row(quantity, name, unit, **about)
        row.add(ours, other)

    def __iter__(self):
        return iter(sorted(self._rows.values(), key=lambda row: row.quantity))

    def missed(self):
        return [row for row in self if row.met() is False]
