"""The `todos` projection and the registry it lives in, through script mode."""
import unittest

from loader import Script, items


class ProjectionTest(unittest.TestCase):
    """A session `s` without the invariants: writes may stand outside turns."""

    without = ["invariants"]

    def setUp(self):
        self.script = self.enterContext(Script(without=self.without))
        self.script.ok("session/create", session="s")

    def append(self, type, data, session="s"):
        return self.script.ok("session/append", session=session, type=type, data=data)

    def write(self, text, session="s"):
        return self.append("todo/write", {"todos": items(text)}, session)

    def read(self, session="s"):
        return self.script.ok("projection/read", session=session)


class Standing(ProjectionTest):
    def test_it_starts_as_null(self):
        self.assertEqual(self.read(), {"ok": True, "asOfSeq": -1, "values": {"todos": None}})

    def test_a_write_sets_the_whole_list(self):
        self.write("a:p, b:i")
        self.write("c:c")
        self.assertEqual(self.read()["values"]["todos"], items("c:c"))

    def test_a_turns_start_clears_it(self):
        self.write("a:p")
        self.append("turn/start", {"turn": 2})
        self.assertIsNone(self.read()["values"]["todos"])

    def test_a_turns_end_and_everything_else_leave_it(self):
        self.write("a:i")
        for type in ("turn/end", "step/start", "step/end", "tool/call", "session/title", "acme/whatever"):
            self.append(type, {"turn": 1})
        self.assertEqual(self.read(), {"ok": True, "asOfSeq": 6, "values": {"todos": items("a:i")}})

    def test_an_empty_list_is_not_null(self):
        self.write("")
        self.assertEqual(self.read()["values"]["todos"], [])

    def test_each_session_has_its_own(self):
        self.script.ok("session/create", session="child")
        self.write("a:i")
        self.assertIsNone(self.read("child")["values"]["todos"])

    def test_views_keep_content_and_status_alone_and_the_state_what_the_log_holds(self):
        todos = [{"status": "pending", "note": [1], "content": "a"}]
        self.append("todo/write", {"todos": todos})
        self.read()
        self.assertIn(b'"todos":[{"content":"a","status":"pending"}]', self.script.answer_text)
        checkpoint = self.script.ok("projection/checkpoint", session="s")["checkpoint"]
        self.assertEqual(checkpoint["todos"], {"ver": 2, "seq": 0, "val": todos})


class Notifications(ProjectionTest):
    def setUp(self):
        super().setUp()
        self.assertEqual(self.script.ok("projection/subscribe")["notified"], [])

    def change(self, value, seq):
        return {"session": "s", "key": "todos", "value": value, "seq": seq}

    def test_a_change_is_told_with_its_value_and_seq(self):
        self.assertEqual(self.write("a:p")["notified"], [self.change(items("a:p"), 0)])

    def test_rewriting_an_equal_list_is_a_change(self):
        self.write("a:p")
        self.assertEqual(self.write("a:p")["notified"], [self.change(items("a:p"), 1)])

    def test_a_turns_start_is_a_change_only_where_something_stood(self):
        self.assertEqual(self.append("turn/start", {"turn": 1})["notified"], [])
        self.write("a:p")
        self.assertEqual(self.append("turn/start", {"turn": 2})["notified"], [self.change(None, 2)])

    def test_a_turns_end_is_none(self):
        self.write("a:p")
        self.assertEqual(self.append("turn/end", {"turn": 1})["notified"], [])

    def test_a_call_tells_its_own_change(self):
        self.assertEqual(self.script.call(items("a:i"), session="s")["notified"], [self.change(items("a:i"), 0)])

    def test_each_listener_is_told(self):
        self.script.ok("projection/subscribe")
        self.assertEqual(self.write("a:p")["notified"], [self.change(items("a:p"), 0)] * 2)
        self.script.ok("projection/unsubscribe")
        self.assertEqual(self.write("b:p")["notified"], [self.change(items("b:p"), 1)])
        self.script.ok("projection/unsubscribe")
        self.assertEqual(self.write("c:p")["notified"], [])

    def test_a_seed_is_folded_silently(self):
        answer = self.script.ok("session/create", session="t",
                                seed=[{"type": "todo/write", "data": {"todos": items("a:p")}}])
        self.assertEqual(answer["notified"], [])
        self.assertEqual(self.read("t")["values"]["todos"], items("a:p"))

    def test_every_answer_tells_even_a_failed_one(self):
        self.assertEqual(self.script.op("nonsense")["notified"], [])


class Malformed(ProjectionTest):
    def test_a_malformed_list_fails_to_be_read_until_the_next_write(self):
        for data in ({"todos": {}}, {"todos": [1]}, {"todos": [{"content": "a"}]}, {"todos": "x"}, {"todos": [{"content": 1, "status": "pending"}]}):
            with self.subTest(data=data):
                self.append("todo/write", data)
                answer = self.script.op("projection/read", session="s")
                self.assertIs(answer["ok"], False, answer)
                self.assertTrue(answer["error"])
        self.write("a:p")
        self.assertEqual(self.read()["values"]["todos"], items("a:p"))

    def test_a_malformed_list_is_not_told_and_a_turn_ends_it(self):
        self.script.ok("projection/subscribe")
        self.assertEqual(self.append("todo/write", {"todos": 5})["notified"], [])
        self.assertEqual(self.append("turn/start", {"turn": 1})["notified"],
                         [{"session": "s", "key": "todos", "value": None, "seq": 1}])

    def test_an_event_without_a_list_leaves_the_state_before_it(self):
        self.write("a:p")
        self.append("todo/write", None)
        self.assertEqual(self.read(), {"ok": True, "asOfSeq": 1, "values": {"todos": items("a:p")}})


class Life(ProjectionTest):
    def test_it_may_come_after_the_plugin_and_folds_history(self):
        with Script(without=["invariants", "sessionProjections"]) as script:
            script.ok("session/create", session="s")
            self.assertEqual(script.call(items("a:p"), session="s")["isError"], False)
            script.ok("service/add", name="sessionProjections")
            self.assertEqual(script.todos("s"), items("a:p"))

    def test_it_goes_alone_and_returns(self):
        self.write("a:p")
        self.script.ok("service/remove", name="sessionProjections")
        self.assertEqual(self.script.op("projection/read", session="s"),
                         {"ok": False, "error": 'service "sessionProjections" is absent'})
        self.assertEqual(self.script.call(items("b:p"), session="s")["isError"], False)
        self.script.ok("service/add", name="sessionProjections")
        self.assertEqual(self.script.todos("s"), items("b:p"))

    def test_it_goes_with_its_plugin(self):
        self.write("a:p")
        self.script.ok("plugin/unload", id="@deepseek-ai/dsh-tool-todo")
        self.assertEqual(self.read(), {"ok": True, "asOfSeq": 0, "values": {}})
        self.assertIsNone(self.script.ok("projection/restoreFloor", checkpoint={})["floor"])


class Checkpoints(ProjectionTest):
    EVENTS = [{"type": "turn/start", "data": {"turn": 1}}, {"type": "todo/write", "data": {"todos": items("a:p")}},
              {"type": "turn/end", "data": {"turn": 1}}, {"type": "todo/write", "data": {"todos": items("b:i")}}]

    def restore(self, checkpoint, events, base):
        return self.script.op("projection/restore", checkpoint=checkpoint, events=events, baseSeq=base)

    def row(self, seq, val, ver=2):
        return {"todos": {"ver": ver, "seq": seq, "val": val}}

    def test_a_checkpoint_is_of_the_last_event(self):
        self.write("a:p")
        self.append("turn/end", {"turn": 1})
        self.assertEqual(self.script.ok("projection/checkpoint", session="s")["checkpoint"], self.row(1, items("a:p")))

    def test_restoring_goes_on_from_a_row_that_counts(self):
        answer = self.restore(self.row(1, items("x:p")), self.EVENTS[2:3], 2)
        self.assertEqual(answer, {"ok": True, "snapshot": {"asOfSeq": 2, "values": {"todos": items("x:p")}},
                                  "checkpoint": self.row(2, items("x:p"))})

    def test_restoring_without_a_row_refolds_from_the_start(self):
        answer = self.restore({}, self.EVENTS, 0)
        self.assertEqual(answer["snapshot"], {"asOfSeq": 3, "values": {"todos": items("b:i")}})

    def test_a_row_that_does_not_count_needs_the_whole_log(self):
        for checkpoint in ({}, self.row(1, None), self.row(9, None), self.row(2, items("a:p"), ver=1)):
            with self.subTest(checkpoint=checkpoint):
                self.assertEqual(self.restore(checkpoint, self.EVENTS[3:], 3), {
                    "ok": False, "error": 'session projection "todos" cannot restore from seq 3: its checkpoint row is missing, '
                    'version-mismatched, or beyond the supplied log end; re-read from seq 0'})

    def test_a_restored_state_drops_extra_keys(self):
        answer = self.restore(self.row(0, [{"content": "a", "status": "pending", "id": 1}]), [], 1)
        self.assertEqual(answer["checkpoint"], self.row(0, items("a:p")))

    def test_a_row_that_is_no_list_of_sound_items_fails(self):
        for value in (5, {}, [1], [{"content": "a"}], "x"):
            with self.subTest(value=value):
                self.assertIs(self.restore(self.row(0, value), [], 1)["ok"], False)

    def test_the_floor_is_one_before_what_is_missing(self):
        for checkpoint, floor in (({}, 0), (self.row(0, None), 0), (self.row(5, None), 5), (self.row(5, None, ver=1), 0)):
            with self.subTest(checkpoint=checkpoint):
                self.assertEqual(self.script.ok("projection/restoreFloor", checkpoint=checkpoint)["floor"], floor)

    def test_viewing_a_checkpoint_leaves_unsound_keys_out(self):
        view = lambda checkpoint: self.script.ok("projection/viewCheckpoint", checkpoint=checkpoint)["values"]
        self.assertEqual(view(self.row(4, items("a:p"))), {"todos": items("a:p")})
        self.assertEqual(view(self.row(4, None)), {"todos": None})
        self.assertEqual(view(self.row(4, items("a:p"), ver=3)), {})
        self.assertEqual(view(self.row(4, 7)), {})
        self.assertEqual(view({}), {})


if __name__ == "__main__":
    unittest.main()
