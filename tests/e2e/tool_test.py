"""The tool `todo_write`, through script mode, a test a sentence."""
import json
import unittest

from loader import PARALLEL, SINGLE, Script, items

NOT_AN_OBJECT = 'Error: invalid arguments: "arguments" must be an object'
LOSSY = "Error: tool execution arguments must be losslessly JSON-serializable"
ALLOWED = '["pending","in_progress","completed"]'


def arguments(todos_json):
    return '{"todos":' + todos_json + "}"


class ToolTest(unittest.TestCase):
    """Each test has a session `s` in which a turn is open."""

    composition = PARALLEL

    def setUp(self):
        self.script = self.enterContext(Script(self.composition))
        self.script.ok("session/create", session="s")
        self.script.ok("session/append", session="s", type="turn/start", data={"turn": 1})

    def call(self, text):
        return self.script.call(arguments=text, session="s")

    def assert_refused(self, text, expected, info=None):
        """The call fails with this text, and everything is as before."""
        before = self.script.events("s"), self.script.ok("projection/read", session="s")
        answer = self.call(text)
        self.assertEqual((answer["ok"], answer["isError"]), (True, True), answer)
        self.assertEqual(answer["text"], expected)
        self.assertEqual(answer.get("errorInfo"), info)
        self.assertNotIn("value", answer)
        self.assertEqual((self.script.events("s"), self.script.ok("projection/read", session="s")), before)

    def assert_schema_refused(self, text, *violations):
        self.assert_refused(text, "Error: invalid arguments: " + "; ".join(violations),
                            {"name": "ToolArgsError", "code": "INVALID_ARGS"})

    def assert_written(self, text, expected):
        """The call succeeds, and the list stands in its value, in the log and in the projection."""
        answer = self.call(text)
        self.assertIs(answer["isError"], False, answer)
        self.assertEqual(answer["value"]["todos"], expected)
        self.assertEqual(self.script.events("s", "todo/write")[-1]["data"], {"todos": expected})
        self.assertEqual(self.script.todos("s"), expected)
        return answer


class Lists(ToolTest):
    def test_one_call_replaces_the_whole_list(self):
        self.assert_written(json.dumps({"todos": items("a:p, b:i, c:c")}), items("a:p, b:i, c:c"))
        self.assert_written(json.dumps({"todos": items("c:p")}), items("c:p"))

    def test_order_is_kept(self):
        self.assert_written(json.dumps({"todos": items("z:p, a:p, m:i, 1:c, B:p")}), items("z:p, a:p, m:i, 1:c, B:p"))

    def test_success_appends_one_event_and_tells_the_counts(self):
        before = len(self.script.events("s"))
        answer = self.call(json.dumps({"todos": items("a:p, b:i, c:i, d:c")}))
        self.assertEqual(answer["text"], "Updated todo list: 1 pending, 2 in progress, 1 completed.")
        self.assertEqual(answer["value"]["counts"], {"pending": 1, "inProgress": 2, "completed": 1})
        self.assertEqual([e["type"] for e in self.script.events("s")[before:]], ["todo/write"])

    def test_an_empty_list_is_a_legal_write(self):
        answer = self.assert_written('{"todos":[]}', [])
        self.assertEqual(answer["text"], "Updated todo list: 0 pending, 0 in progress, 0 completed.")

    def test_the_same_list_again_is_one_more_event(self):
        for _ in range(3):
            self.assert_written(json.dumps({"todos": items("a:i")}), items("a:i"))
        self.assertEqual(len(self.script.events("s", "todo/write")), 3)

    def test_keys_of_items_are_written_content_first(self):
        self.call('{"todos":[{"status":"pending","content":"a"}]}')
        self.script.op("session/events", session="s", type="todo/write")
        self.assertIn(b'"data":{"todos":[{"content":"a","status":"pending"}]}', self.script.answer_text)


class ArgumentText(ToolTest):
    def test_empty_text_is_an_empty_object(self):
        self.assert_schema_refused("", 'missing required property "todos"')

    def test_what_is_no_json_object_is_refused(self):
        for text in (" ", "\n", "\ufeff{}", "\u00a0", "null", "true", "1", '"{}"', "[]", '[{"todos":[]}]', "{", "{]",
                     '{"todos":[]', '{"todos":[],}', "{'todos':[]}", '{"todos":[]} x', "{}{}", '{"todos":[{"content":"\x00"}]}',
                     '{"todos":"\\x"}', '{"todos":"\\ud8"}', "NaN", "{todos:[]}", "// c\n{}"):
            with self.subTest(text=text):
                self.assert_schema_refused(text, '"arguments" must be an object')

    def test_whitespace_around_an_object_is_fine(self):
        self.assert_written(' \t\r\n{ "todos" : [ { "content" : "a" , "status" : "pending" } ] } \n', items("a:p"))

    def test_the_last_of_duplicate_keys_wins(self):
        self.assert_written('{"todos":"no","todos":[{"content":"a","content":"b","status":"pending"}]}', items("b:p"))

    def test_a_duplicate_key_keeps_the_first_ones_position(self):
        self.assert_schema_refused('{"todos":[{"content":"a","status":"pending","x":1,"y":2,"x":3}]}',
                                   '"todos[0].x" is not a declared property (additionalProperties: false)',
                                   '"todos[0].y" is not a declared property (additionalProperties: false)')

    def test_lone_surrogates_survive(self):
        answer = self.assert_written('{"todos":[{"content":"\\ud800","status":"pending"}]}',
                                     [{"content": "\ud800", "status": "pending"}])
        self.assertIn("value", answer)
        self.script.op("session/events", session="s", type="todo/write")
        self.assertIn(rb'"content":"\ud800"', self.script.answer_text)

    def test_a_surrogate_pair_is_one_character(self):
        self.assert_written('{"todos":[{"content":"\\ud83d\\ude00","status":"pending"}]}',
                            [{"content": "\U0001f600", "status": "pending"}])


class LosslessNumbers(ToolTest):
    def test_numbers_that_cannot_be_carried_are_refused_anywhere(self):
        for number in ("-0", "-0.0", "-1e-400", "1e999", "-1e999", "1" + "0" * 400):
            for text in ('{"todos":[],"ignored":%s}', '{"todos":%s}', '{"todos":[{"content":%s}]}', '{"x":{"y":[[%s]]}}'):
                with self.subTest(number=number[:10], text=text):
                    self.assert_refused(text % number, LOSSY)

    def test_a_later_duplicate_rescues_the_call(self):
        self.assert_written('{"x":-0,"todos":[],"x":1}', [])

    def test_ordinary_numbers_are_fine_where_they_are_ignored(self):
        self.assert_written('{"todos":[],"a":0,"b":1e308,"c":-1.5,"d":1e-400,"e":0.0}', [])


class Schema(ToolTest):
    def test_every_violation_is_told(self):
        self.assert_schema_refused(
            '{"todos":[{"content":1,"status":"done"},5,{"content":"a","id":"1"},{"content":"b","status":7}]}',
            '"todos[0].content" must be a string',
            '"todos[0].status" must be one of ' + ALLOWED,
            '"todos[1]" must be an object',
            'missing required property "todos[2].status"',
            '"todos[2].id" is not a declared property (additionalProperties: false)',
            '"todos[3].status" must be a string')

    def test_a_missing_list(self):
        self.assert_schema_refused('{"items":[]}', 'missing required property "todos"')

    def test_todos_of_another_type(self):
        for value in ('null', '"[]"', '{}', '1', 'true'):
            with self.subTest(value=value):
                self.assert_schema_refused(arguments(value), '"todos" must be an array')

    def test_an_item_of_another_type(self):
        for value in ('null', '"a"', '[]', '1', 'true'):
            with self.subTest(value=value):
                self.assert_schema_refused(arguments(f"[{value}]"), '"todos[0]" must be an object')

    def test_missing_keys_come_in_the_schemas_order(self):
        self.assert_schema_refused(arguments("[{}]"), 'missing required property "todos[0].content"',
                                   'missing required property "todos[0].status"')

    def test_null_is_a_wrong_type_not_a_missing_key(self):
        self.assert_schema_refused(arguments('[{"content":null,"status":null}]'), '"todos[0].content" must be a string',
                                   '"todos[0].status" must be a string')

    def test_statuses_are_spelt_exactly(self):
        for status in ("done", "active", "unknown", "failed", "Pending", "PENDING", "in progress", "in-progress",
                       " pending", "completed ", "", "cancelled", "pending\\u0000"):
            with self.subTest(status=status):
                self.assert_schema_refused(arguments('[{"content":"a","status":"%s"}]' % status),
                                           '"todos[0].status" must be one of ' + ALLOWED)

    def test_undeclared_keys_list_integers_first_then_text_order(self):
        keys = ("b", "10", "a", "2", "0", "01", "4294967294", "4294967295", "-1", "1.5")
        text = '[{"content":"a","status":"pending",%s}]' % ",".join(f'"{key}":1' for key in keys)
        order = ("0", "2", "10", "4294967294", "b", "a", "01", "4294967295", "-1", "1.5")
        self.assert_schema_refused(arguments(text), *(
            f'"todos[0].{key}" is not a declared property (additionalProperties: false)' for key in order))

    def test_an_undeclared_key_is_named_raw(self):
        self.assert_schema_refused(arguments(r'[{"content":"a","status":"pending","q\"\n":1}]'),
                                   '"todos[0].q"\n" is not a declared property (additionalProperties: false)')

    def test_the_root_is_open(self):
        self.assert_written('{"note":"hi","todos":[],"0":null}', [])


class Contents(ToolTest):
    def test_contents_are_trimmed_as_javascript_does(self):
        spaces = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"
        self.assert_written(json.dumps({"todos": [{"content": spaces + "a b" + spaces, "status": "pending"}]}), items("a b:p"))

    def test_what_javascript_does_not_trim_stays(self):
        for space in "\u0085\u180e\u200b\u2060\x00\x1c\x1f":
            with self.subTest(space=space):
                self.assert_written(json.dumps({"todos": [{"content": space, "status": "pending"}]}),
                                    [{"content": space, "status": "pending"}])

    def test_an_empty_content_is_refused(self):
        for content in ("", " ", "\\u00a0\\n"):
            with self.subTest(content=content):
                self.assert_refused(arguments('[{"content":"%s","status":"pending"}]' % content),
                                    "Error: invalid todo: `content` must be a non-empty string")

    def test_a_duplicate_is_refused_and_quoted(self):
        self.assert_refused(arguments('[{"content":"Run tests","status":"pending"},{"content":"  Run tests ","status":"in_progress"}]'),
                            'Error: invalid todos: duplicate content "Run tests"')

    def test_duplicates_are_found_under_every_spelling(self):
        self.assert_refused(arguments(r'[{"content":"a","status":"pending"},{"content":"\u0061","status":"completed"}]'),
                            'Error: invalid todos: duplicate content "a"')

    def test_case_normal_form_and_inner_spacing_count(self):
        contents = ["a", "A", "\u00e9", "e\u0301", "x y", "x  y"]
        todos = [{"content": c, "status": "pending"} for c in contents]
        self.assert_written(json.dumps({"todos": todos}), todos)

    def test_quoting_is_that_of_json_stringify(self):
        content = '"\\\b\f\n\r\t\x01\x1f\x7f\u0085\u2028/\ud800'
        twice = json.dumps({"todos": [{"content": "x" + content + "x", "status": "pending"}] * 2})
        self.assert_refused(twice, 'Error: invalid todos: duplicate content "x'
                            + r'\"\\\b\f\n\r\t\u0001\u001f' + "\x7f\u0085\u2028/" + r'\ud800' + 'x"')

    def test_a_backslash_and_an_n_are_no_line_end(self):
        self.assert_written(arguments(r'[{"content":"a\\nb","status":"pending"}]'), [{"content": r"a\nb", "status": "pending"}])

    def test_the_first_item_that_is_wrong_decides(self):
        self.assert_refused(arguments('[{"content":"a","status":"pending"},{"content":"a","status":"pending"},'
                                      '{"content":" ","status":"pending"}]'), 'Error: invalid todos: duplicate content "a"')
        self.assert_refused(arguments('[{"content":" ","status":"pending"},{"content":"a","status":"pending"},'
                                      '{"content":"a","status":"pending"}]'),
                            "Error: invalid todo: `content` must be a non-empty string")


class Order(ToolTest):
    composition = SINGLE

    def test_lossless_numbers_come_before_the_schema(self):
        self.assert_refused('{"todos":"x","y":-0}', LOSSY)

    def test_the_schema_comes_before_the_contents(self):
        self.assert_schema_refused(arguments('[{"content":"","status":"pending"},{"content":"a","status":"x"}]'),
                                   '"todos[1].status" must be one of ' + ALLOWED)

    def test_the_contents_come_before_the_policy(self):
        self.assert_refused(arguments('[{"content":"a","status":"in_progress"},{"content":"a","status":"in_progress"}]'),
                            'Error: invalid todos: duplicate content "a"')

    def test_the_policy_comes_before_the_owner(self):
        answer = self.script.call(items("a:i, b:i"))
        self.assertEqual(answer["text"], "Error: invalid todos: at most one task may be in_progress (got 2)")

    def test_the_owner_comes_before_the_append(self):
        answer = self.script.call(items("a:i"))
        self.assertEqual(answer["text"], "Error: todo_write requires an owning agent session")
        self.assertNotIn("errorInfo", answer)

    def test_the_appends_own_refusal_is_the_last(self):
        self.script.ok("session/append", session="s", type="turn/end", data={"turn": 1})
        self.assert_refused(json.dumps({"todos": items("a:i")}),
                            'Error: invariant violated by "@deepseek-ai/dsh-tool-todo": todo/write appended outside any open turn')


class Policy(ToolTest):
    composition = SINGLE

    def test_one_in_progress_at_most_where_parallel_work_is_not_allowed(self):
        for count in (2, 3, 10):
            with self.subTest(count=count):
                todos = items(", ".join(f"{n}:i" for n in range(count)))
                self.assert_refused(json.dumps({"todos": todos}),
                                    f"Error: invalid todos: at most one task may be in_progress (got {count})")
        self.assert_written(json.dumps({"todos": items("a:c, b:i")}), items("a:c, b:i"))

    def test_none_in_progress_is_accepted(self):
        self.assert_written(json.dumps({"todos": items("a:p, b:p")}), items("a:p, b:p"))

    def test_the_description_states_the_rule(self):
        description = self.script.op("tools")["tools"][0]["description"].lower()
        self.assertIn("at most one", description)
        self.assertIn("exactly one", description)


class ParallelPolicy(ToolTest):
    def test_several_in_progress_are_accepted(self):
        self.assert_written(json.dumps({"todos": items("a:i, b:i, c:i")}), items("a:i, b:i, c:i"))

    def test_the_description_states_the_rule(self):
        description = self.script.op("tools")["tools"][0]["description"].lower()
        self.assertIn("parallel", description)
        self.assertNotIn("at most one", description)
        self.assertIn("at least one", description)

    def test_the_description_says_what_a_model_has_to_know(self):
        description = self.script.op("tools")["tools"][0]["description"].lower()
        for words in ("entire list", "replaces", "partial", "trivial", "pending", "in_progress", "completed"):
            self.assertIn(words, description)
        self.assertNotIn("\n", description)


class Failures(ToolTest):
    def test_a_repeated_bad_call_leaves_the_next_good_one_alone(self):
        for _ in range(3):
            self.assert_schema_refused('{"todos":"[{}]"}', '"todos" must be an array')
        self.assert_written(json.dumps({"todos": items("a:p")}), items("a:p"))
        self.assertEqual(len(self.script.events("s", "todo/write")), 1)

    def test_a_refused_call_keeps_the_standing_list(self):
        self.assert_written(json.dumps({"todos": items("a:p")}), items("a:p"))
        self.assert_schema_refused("{}", 'missing required property "todos"')
        self.assertEqual(self.script.todos("s"), items("a:p"))

    def test_two_sessions_keep_two_lists(self):
        self.script.ok("session/create", session="child")
        self.script.ok("session/append", session="child", type="turn/start", data={"turn": 1})
        self.assert_written(json.dumps({"todos": items("a:p")}), items("a:p"))
        self.script.call(items("x:i"), session="child")
        self.assertEqual((self.script.todos("s"), self.script.todos("child")), (items("a:p"), items("x:i")))


class Cards(ToolTest):
    def card(self, text):
        answer = self.script.ok("tool/present", name="todo_write", arguments=text)
        return answer["card"]

    def test_a_card_shows_the_list_as_it_was_sent(self):
        todos = [{"content": " padded ", "status": "completed"}, {"content": "dup", "status": "pending"},
                 {"content": "dup", "status": "pending"}]
        self.assertEqual(self.card(json.dumps({"todos": todos, "extra": 1})),
                         {"card": "generic", "title": "Update todo list", "kind": "other", "rawInput": todos})

    def test_an_empty_list_has_a_card(self):
        self.assertEqual(self.card('{"todos":[]}')["rawInput"], [])

    def test_no_card_where_the_schema_fails(self):
        for text in ("{}", '{"todos":"no"}', "text", "null", '{"todos":[{"content":"a","status":"pending","x":1}]}', ""):
            with self.subTest(text=text):
                self.assertIsNone(self.card(text))


class Catalogue(ToolTest):
    def test_the_tool_carries_its_schemas(self):
        (tool,) = self.script.op("tools")["tools"]
        self.assertEqual(tool["name"], "todo_write")
        self.assertEqual(tool["parameters"]["required"], ["todos"])
        self.assertIs(tool["parameters"]["properties"]["todos"]["items"]["additionalProperties"], False)
        self.assertEqual(tool["output"]["required"], ["todos", "counts"])

    def test_the_catalogue_is_the_same_in_every_process(self):
        self.script.op("tools")
        with Script(self.composition) as other:
            other.op("tools")
            self.assertEqual(other.answer_text, self.script.answer_text)


if __name__ == "__main__":
    unittest.main()
