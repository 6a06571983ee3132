"""What is measured, and the targets. Each quantity hands out steps, (label, function) pairs; a round of the
comparison runs every step once, so that ours, the limits and the reference take turns."""
import dataclasses
import os
import pathlib
import statistics
import tempfile

import syncs

CONTENTS = ("ordinary", "non-ascii", "padded", "escaped")
ITEMS = (10, 100, 1000)
MIB = 1024 * 1024


@dataclasses.dataclass
class Scale:
    """How much of each there is to do."""
    rounds: int = 5
    call_items: int = 200_000      # items in all calls of a sample, at most
    reference_us: float = 600_000  # what a sample of the reference may take, warm-up aside
    durable_calls: int = 300
    memory_calls: int = 20_000
    audit_mb: tuple = (100,)
    plan_mb: tuple = (1, 100, 1000)
    processes: int = 15            # starts of each process in a round
    steady_calls: int = 100_000
    thread_calls: int = 20_000

    @classmethod
    def of(cls, quick, large, smoke):
        if smoke:
            return cls(rounds=1, call_items=1000, reference_us=1000, durable_calls=5, memory_calls=1000, audit_mb=(1,), plan_mb=(1, 2),
                       processes=2, steady_calls=1000, thread_calls=20)
        scale = cls(rounds=3, call_items=100_000, reference_us=300_000, durable_calls=200, memory_calls=10_000, audit_mb=(20,),
                    plan_mb=(1, 20), processes=10, steady_calls=30_000, thread_calls=10_000) if quick else cls()
        if large:
            scale.audit_mb += (1000,)
            scale.plan_mb = tuple(sorted({*scale.plan_mb, 1000}))
            scale.steady_calls = 1_000_000
            scale.memory_calls = 1_000_000
        return scale


class Quantity:
    """One number of the table. `reference` is None where it can't be had."""
    name = ""

    def __init__(self, ours, reference, rows, scale, work):
        self.ours, self.reference, self.rows, self.scale, self.work = ours, reference, rows, scale, pathlib.Path(work)
        # A root of sessions with nothing else in it: `plan` looks at every project directory.
        self.logs = self.work / "logs"
        self.logs.mkdir(exist_ok=True)

    def add(self, name, unit, ours, other=None, **about):
        self.rows.add(self.name, name, unit, ours, other, **about)


class Call(Quantity):
    name = "1 call"
    # What the reference takes for a call, roughly: to give each sample about the same time.
    REFERENCE_US = {10: 600, 100: 3000, 1000: 21_000}
    AT_LEAST = {10: 250, 1000: 80}

    def steps(self):
        for items in ITEMS:
            for content in CONTENTS:
                yield f"{items} items, {content}", lambda items=items, content=content: self.call(items, content)
        yield "heap allocations", self.allocations
        yield "memory of a durable session", self.memory

    def call(self, items, content):
        what = f"{items} items, {content}"
        sample = self.ours.measure("call", items, content, max(10, self.scale.call_items // items))
        self.add(what, "µs", sample["ours_us"], sample["limit_us"], against="limit", at_most=1.5 if content == "ordinary" else 2.5)
        if self.reference is None:
            return
        texts = self.work / f"arguments-{items}-{content}"
        if not texts.exists():
            self.ours.inputs(items, content, texts)
        calls = max(2, int(self.scale.reference_us / self.REFERENCE_US[items]))
        reference = self.reference.run("call", texts, calls)
        self.add(what, "µs", sample["ours_us"], reference["cpu_us"], against="reference", faster=True, at_least=self.AT_LEAST.get(items))

    def allocations(self):
        counts = {items: self.ours.count("call", items, "ordinary", 320)["allocations"] for items in ITEMS}
        for items, count in counts.items():
            self.add(f"heap allocations, {items} items", "", count)
        self.add("heap allocations an item more", "", (counts[1000] - counts[10]) / 990, at_most=1)

    def memory(self):
        with tempfile.TemporaryDirectory(dir=self.work) as directory:
            sample = self.ours.measure("memory", self.scale.memory_calls, directory)
        what = f"memory of an event on disk, {self.scale.memory_calls:,} calls"
        self.add(f"{what}: heap", "bytes", sample["heap_bytes"], at_most=16)
        self.add(f"{what}: resident", "bytes", sample["rss_bytes"])


class Durable(Quantity):
    name = "2 durable"

    def steps(self):
        yield "a call on disk", self.call
        yield "syncs", self.syncs

    def call(self):
        with tempfile.TemporaryDirectory(dir=self.work) as directory:
            sample = self.ours.measure("durable", 10, self.scale.durable_calls, directory)
        what = f"call of 10 items ({sample['bytes']} bytes)"
        self.add(f"{what}, CPU", "µs", sample["ours_us"], sample["limit_us"], against="write+fdatasync", at_most=1.3)
        self.add(f"{what}, wall", "µs", sample["ours_wall_us"], sample["limit_wall_us"], against="write+fdatasync", at_most=1.3)

    def syncs(self):
        if syncs.available() is not None:
            return
        self.add("syncs of a line of `run`", "", syncs.of_run(self.ours.loader), at_most=1)
        opening, call = syncs.of_call(self.ours.loader)
        self.add("syncs of opening a stored session", "", opening)
        self.add("syncs of `call`, opening aside", "", call, at_most=2)
        self.add("syncs of a call of `mcp`", "", syncs.of_mcp(self.ours.loader), at_most=2)


class Audit(Quantity):
    name = "3 audit"

    def steps(self):
        for megabytes in self.scale.audit_mb:
            yield f"{megabytes} MB", lambda megabytes=megabytes: self.audit(megabytes)

    def audit(self, megabytes):
        session, path = self.ours.log(self.logs, megabytes)
        limit = self.ours.measure("lines", path)
        ours = self.ours.process(self.ours.loader, "audit", path)
        self.add(f"{megabytes} MB", "µs", ours["cpu_us"], limit["cpu_us"], against="read+memchr", at_most=4)
        bound = 16 + 2 * limit["longest"] / MIB
        self.add(f"{megabytes} MB, peak memory", "MiB", ours["rss_kib"] / 1024, at_most=bound)
        if self.reference is not None:
            resumed = self.reference.run("resume", self.logs, session)
            self.add(f"{megabytes} MB", "µs", ours["cpu_us"], resumed["cpu_ms"] * 1000, against="reference", faster=True, at_least=15)
            self.add(f"{megabytes} MB, peak memory", "MiB", ours["rss_kib"] / 1024, resumed["rss_mib"], against="reference", faster=True)


class Plan(Quantity):
    name = "4 plan"

    def steps(self):
        yield "of closed logs", self.plans

    def plans(self):
        beyond = {size: [] for size in self.scale.plan_mb}
        whole = {size: [] for size in self.scale.plan_mb}
        for size in self.scale.plan_mb:
            self.ours.log(self.logs, size)
        for _ in range(self.scale.processes):
            for size in self.scale.plan_mb:
                session, _ = self.ours.log(self.logs, size)
                beyond[size].append(self.ours.measure("plan", self.logs, session)["cpu_us"])
                words = ("plan", "--session", session, "--sessions", self.logs)
                whole[size].append(self.ours.process(self.ours.loader, *words)["cpu_us"])
        for size in self.scale.plan_mb:
            self.add(f"{size} MB, beyond process start", "µs", statistics.median(beyond[size]), at_most=200)
        smallest, largest = min(beyond), max(beyond)
        self.add(f"{largest} MB, whole process", "µs", statistics.median(whole[largest]), statistics.median(whole[smallest]),
                 against=f"{smallest} MB", at_most=1.2)


class Start(Quantity):
    name = "5 start"

    def steps(self):
        yield "processes", self.start
        yield "size of the plugin", self.size

    def start(self):
        ours, trivial = [], []
        for _ in range(self.scale.processes):
            trivial.append(self.ours.process(self.ours.trivial))
            ours.append(self.ours.process(self.ours.loader, "tools", "--json"))
        for unit, name in (("cpu_us", "CPU"), ("ready_us", "wall")):
            def middle(samples):
                return statistics.median(one[unit] for one in samples)
            self.add(f"to the tool registered, {name}", "µs", middle(ours), middle(trivial), against="trivial", at_most=4)
            if self.reference is not None:
                reference = self.ours.process(*self.reference.command("start"))
                self.add(f"to the tool registered, {name}", "µs", middle(ours), reference[unit], against="reference", faster=True, at_least=1)
        self.add("peak memory", "MiB", max(one["rss_kib"] for one in ours) / 1024, at_most=12)

    def size(self):
        self.add("plugin, stripped", "KB", self.ours.stripped_size() / 1000, at_most=450)


class Growth(Quantity):
    name = "6 growth"
    SIZES = (10, 100, 1000, 10_000, 50_000)

    def steps(self):
        yield "with the items", self.items
        yield "with the calls", self.calls
        yield "with the threads", self.threads

    def items(self):
        samples = {size: self.ours.measure("call", size, "ordinary", max(10, self.scale.call_items // size)) for size in self.SIZES}
        first = samples[self.SIZES[0]]["ours_us"] / self.SIZES[0]
        for size in self.SIZES[1:]:
            self.add(f"an item of {size:,}", "µs", samples[size]["ours_us"] / size, first, against="of 10", at_most=1.5)
        last = self.SIZES[-1]
        self.add(f"{last:,} items", "µs", samples[last]["ours_us"], samples[last]["limit_us"], against="limit")

    def calls(self):
        tenths = self.ours.measure("calls", 10, self.scale.steady_calls)["tenths_us"]
        self.add(f"a call in the last tenth of {self.scale.steady_calls:,}", "µs", statistics.median(tenths[-3:]), statistics.median(tenths[:3]),
                 against="first", at_most=1.25)

    def threads(self):
        # How the limit's work, which shares nothing, gets faster tells what the machine has to give.
        for threads in (2, 8):
            sample = self.ours.measure("threads", threads, 10, self.scale.thread_calls)
            faster = {who: threads * sample[f"{who}_alone_us"] / sample[f"{who}_together_us"] for who in ("ours", "limit")}
            self.add(f"{threads} threads, times as fast as one", "", faster["ours"], faster["limit"], against="limit", at_least=0.8)
            if threads == 2 and os.cpu_count() >= 2:
                self.add("2 threads, times as fast as one", "", faster["ours"], at_least=1.8)


ALL = (Call, Durable, Audit, Plan, Start, Growth)
