"""A plugin that does whatever the headers forbid (hostile.c) does not take the host down, hang it or bring
it to say what is no JSON: not when it is applied, not in use, not when its services go or it is unloaded. Nor
does it take a test of `check` down: what it hands in is judged before it is read."""
import json
import os
import pathlib
import shutil
import tempfile
import unittest

import build
import loader
import toolchain

SEEDS = range(1, 1001 if os.environ.get("DSH_FULL") else 61)
CHECKED_SEEDS = range(1, 61 if os.environ.get("DSH_FULL") else 9)
# The tests of `check` in which every service is there and long enough: it asks for no more.
CHECKS = ("config.valid", "services.accepted", "services.sound", "services.handles", "services.trial",
          "life.deterministic", "tools.*", "invariants.*", "projections.*")

# 10,000 tools, each with its name, from one apply.
MANY_TOOLS = """
static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)error;
  return text->write(text->ctx, "done", 4);
}

const char *const name = "many";
const char *const inject[] = {DSH_TOOLS, NULL};

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)config, (void)size;
  const dsh_tools *tools = host->service(host, DSH_TOOLS);
  for (int i = 0; i < 10000; i++) {
    char text[16];
    const int length = snprintf(text, sizeof text, "tool_%d", i);
    const dsh_tool tool = {.struct_size = sizeof tool, .name = {text, (size_t)length},
                           .parameters = DSH_STR("{\\"type\\":\\"object\\"}"), .execute = execute};
    const int32_t status = tools->add(host, &tool, error);
    if (status != DSH_OK) return status;
  }
  return DSH_OK;
}
"""


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(tempfile.mkdtemp(prefix="dsh-hostile-"))
        cls.addClassCleanup(shutil.rmtree, cls.directory)

    def plugin(self, source, name):
        # The sanitizer's runtime is the host's; this plugin is no more instrumented than a stranger's.
        exports = build.SOURCE / "host-api" / "cmake" / "dsh-plugin.map"
        return toolchain.build_plugin(self, source, self.directory / name, f"-Wl,--version-script={exports}")

    def live(self, seed):
        """One life under the sample host; the answers are whatever they like, as long as there are some."""
        composition = f"- id: h\n  name: ./hostile.so\n  config: {seed}\n"
        (self.directory / "plugins.yaml").write_text(composition)
        with loader.Script(composition=self.directory / "plugins.yaml", timeout=60) as script:
            answer = script.op("tools")
            if not answer["ok"]:  # it failed its `apply`, and the load with it
                self.assertEqual(script.end(), 2)
                return "refused"
            tools = [one["name"] for one in answer["tools"]]
            script.op("projection/subscribe")
            for session in ("one", "two"):
                script.op("session/create", session=session)
                script.op("session/append", session=session, type="turn/start", data={"turn": 1})
            for turn in range(3):
                for name in tools:
                    script.op("tool/call", name=name, arguments='{"a":1}', session="one")
                    script.op("tool/call", name=name, arguments="[")
                    script.op("tool/present", name=name, arguments="{}")
                script.op("session/append", session="two", type="hostile/event", data={"turn": turn})
                script.op("projection/read", session="one")
                checkpoint = script.op("projection/checkpoint", session="two").get("checkpoint", {})
                script.op("projection/restore", checkpoint=checkpoint, events=[], baseSeq=0)
                for service in ("invariants", "sessionProjections", "tools", "sessions"):
                    script.op("service/remove", name=service)
                    script.op("service/add", name=service)
                script.op("session/create", session=f"later-{turn}", seed=[{"type": "hostile/event", "data": {}}])
            script.op("plugin/unload", id="h")
            script.op("plugin/load", id="h")
            self.assertIn(script.end(), (0, 1))
        return "lived"

    def test_whatever_it_does_the_host_lives(self):
        self.plugin(build.SOURCE / "tests" / "abi" / "hostile.c", "hostile.so")
        ends = set()
        for seed in SEEDS:
            with self.subTest(seed=seed):
                ends.add(self.live(seed))
        self.assertEqual(ends, {"lived", "refused"}, "the seeds reach both")

    def test_no_seed_takes_a_test_of_check_down(self):
        library = self.plugin(build.SOURCE / "tests" / "abi" / "hostile.c", "checked.so")
        only = [word for name in CHECKS for word in ("--only", name)]
        ends = set()
        for seed in CHECKED_SEEDS:
            done = toolchain.run(build.LOADER, "check", "--json", "--seed", 3, "--limit", 100, "--config", seed, *only,
                                 library)
            for test in json.loads(done.stdout)["libraries"][0]["tests"]:
                ends.add(test["status"])
                with self.subTest(test["name"], seed=seed):
                    self.assertNotEqual(test["status"], "crashed", test.get("cause"))
        self.assertIn("failed", ends)

    def test_ten_thousand_tools(self):
        source = self.directory / "many.c"
        source.write_text("#include <dsh/dsh.h>\n#include <dsh/plugin.h>\n#include <stdio.h>\n" + MANY_TOOLS)
        self.plugin(source, "many.so")
        (self.directory / "many.yaml").write_text("- id: m\n  name: ./many.so\n")
        with loader.Script(composition=self.directory / "many.yaml") as script:
            names = [one["name"] for one in script.ok("tools")["tools"]]
            self.assertEqual(names, [f"tool_{i}" for i in range(10_000)])
            self.assertEqual(script.op("tool/call", name="tool_9999", arguments="{}")["text"], "done")
            script.ok("plugin/unload", id="m")
            self.assertEqual(script.ok("tools")["tools"], [])


if __name__ == "__main__":
    unittest.main()
