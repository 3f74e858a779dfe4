#!/usr/bin/env python3
"""Tests `compare` with programs that only pretend to measure: which rows count as missed, and what is recorded.

    python3 Tests/Peers/test_compare.py
"""
import contextlib
import importlib.util
import io
import json
import os
import sys
import tempfile
import types
import unittest
from importlib.machinery import SourceFileLoader
from unittest import mock

sys.dont_write_bytecode = True
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "compare")
LOADER = SourceFileLoader("compare", PATH)
compare = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", LOADER))
LOADER.exec_module(compare)

# A benchmark that counts its calls in a file, and answers the n-th one by the n-th word of another one: milliseconds or “fail”; the last
# one is repeated. “+” before milliseconds: it answers, and then fails.
BENCH = """#!/usr/bin/env python3
import json, os, sys
folder = os.path.dirname(os.path.abspath(sys.argv[0]))
value = lambda name: sys.argv[sys.argv.index(name) + 1]
with open(f"{folder}/calls", "a") as file:
    file.write(value("--threads") + "\\n")
count = len(open(f"{folder}/calls").readlines())
answers = open(f"{folder}/answers").read().split()
answer = answers[min(count, len(answers)) - 1]
if answer != "fail":
    print(json.dumps({"work": value("--only"), "wall": [float(answer)], "cpu_ms_best": float(answer), "err": 0 if answer[0] != "0" else None}))
if not answer[0].isdigit():
    sys.exit("wrong by 1, more than 0: not timed.")
"""
PEER = """import json
print(json.dumps({"peer": "Peer 1.0", "error": 0, "limit": 1, "ms": [20], "cpu_ms": [20]}))
"""


class CompareTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name, text in [("bench", BENCH), ("peer", PEER)]:
            with open(f"{self.folder}/{name}", "w") as file:
                file.write(text)
        os.chmod(f"{self.folder}/bench", 0o755)
        self.peer = [sys.executable, f"{self.folder}/peer"]
        for name, value in [("BENCH", f"{self.folder}/bench"), ("program", lambda peer: self.peer)]:
            patch = mock.patch.object(compare, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.options = types.SimpleNamespace(
            only="", size="1m", rounds=2, reps=1, threads=1, clock="wall", avx2=False, record=f"{self.folder}/figures")

    def measure(self, row, answers):
        with open(f"{self.folder}/answers", "w") as file:
            file.write(answers)
        return compare.measure(row, self.options, self.folder)

    row = compare.Row("copy-row", "a row", "W1", "f32", "peer_ocio", "row", 2, note="a note")

    def test_a_row_that_is_fast_enough_is_met(self):
        figures = self.measure(self.row, "10 8")
        self.assertEqual((figures["ours"], figures["theirs"], figures["copy"]), (111.1, 50, 2.222))
        self.assertEqual((figures["peer"], figures["note"], figures["problem"]), ("Peer 1.0", "a note", ""))
        self.assertEqual(compare.verdict(figures), "met")

    def test_a_slow_row_is_missed(self):
        self.assertEqual(compare.verdict(self.measure(self.row, "11")), "missed")

    def test_a_wrong_result_is_missed_and_recorded_without_a_speed(self):
        figures = self.measure(self.row, "fail")
        self.assertIsNone(figures["ours"])
        self.assertEqual((figures["theirs"], figures["copy"]), (50, None))
        self.assertEqual(figures["problem"], "ours: wrong by 1, more than 0: not timed.")
        self.assertEqual(compare.verdict(figures), "missed")
        self.assertIn("missed", compare.table_line(figures))

    def test_a_failure_in_a_later_round_leaves_no_speed(self):
        self.assertIsNone(self.measure(self.row, "5 fail")["ours"])

    def test_the_status_counts_even_where_there_is_a_line(self):
        self.assertIsNone(self.measure(self.row, "+5")["ours"])

    def test_an_unchecked_result_is_missed(self):
        self.assertEqual(self.measure(self.row, "05")["problem"], "ours: its result is not checked")

    def test_a_row_without_its_peer_is_not_compared(self):
        self.peer = "pip does not install it"
        figures = self.measure(self.row, "5")
        self.assertEqual((figures["theirs"], compare.verdict(figures)), (None, ""))

    def test_a_peer_that_fails_or_is_wrong_fails(self):
        self.peer = ["false"]
        failed = self.measure(self.row, "5")
        self.assertEqual((failed["theirs"], compare.verdict(failed)), (None, "failed"))
        self.peer = [sys.executable, "-c", PEER.replace("[20]", "[]").replace('"error": 0', '"error": 2')]
        wrong = self.measure(self.row, "5")
        self.assertEqual(wrong["problem"], "theirs: wrong by 2, more than 1: not timed")
        self.assertEqual(compare.verdict(wrong), "failed")

    def test_what_failed_or_was_missed_ends_the_program_with_a_status(self):
        met = self.measure(self.row, "5")
        self.peer = "pip does not install it"
        absent = self.measure(self.row, "5")
        self.peer = ["false"]
        failed, missed = self.measure(self.row, "5"), self.measure(self.row, "fail")
        with contextlib.redirect_stderr(io.StringIO()):
            compare.finish({"rows": [met, absent]})
            for figures in [failed, missed]:
                with self.assertRaises(SystemExit) as ending:
                    compare.finish({"rows": [met], "absolute": [figures]})
                self.assertEqual(ending.exception.code, 1)

    def test_an_absolute_row_has_a_speed_as_its_target(self):
        row = compare.AbsoluteRow("hue", "hues", "P1", "f32", 100)
        self.assertEqual(compare.verdict(self.measure(row, "10")), "met")
        figures = self.measure(row, "11")
        self.assertEqual((compare.verdict(figures), "theirs" in figures), ("missed", False))

    def test_two_threads_are_compared_with_one_in_each_round(self):
        row = compare.ThreadRow("threads", "work", "W1", "f32")
        figures = self.measure(row, "10 19 10 19")
        with open(f"{self.folder}/calls") as file:
            self.assertEqual(file.read().split(), ["2", "1", "2", "1"])
        self.assertEqual((compare.score(figures), compare.verdict(figures)), (100 / 52.6, "met"))
        os.remove(f"{self.folder}/calls")
        self.assertEqual(compare.verdict(self.measure(row, "10 fail")), "missed")

    def test_two_threads_are_compared_by_the_wall_clock(self):
        # All work is done by one thread, whichever clock is asked for.
        self.options.clock = "processor"
        row = compare.ThreadRow("threads", "work", "W1", "f32")
        self.assertEqual(compare.score(self.measure(row, "10 10 10 10")), 1)

    def test_all_kinds_of_rows_are_run_and_recorded(self):
        with open(f"{self.folder}/answers", "w") as file:
            file.write("fail")
        with contextlib.redirect_stdout(io.StringIO()):
            compare.record(compare.run(self.options, self.folder), self.options, None)
        with open(self.options.record) as file:
            figures = json.load(file)
        self.assertEqual(len(figures["rows"]), len(compare.ROWS) - 1)  # without the copy
        self.assertEqual(len(figures["absolute"]), len(compare.ABSOLUTE))
        self.assertEqual(len(figures["scaling"]), len(compare.THREADS))
        self.assertTrue(all(row["ours"] is None for row in figures["rows"] + figures["absolute"]))

    def test_rows_measured_again_replace_those_of_before(self):
        row = {"name": "cmyk", "ours": 1}
        self.options.only = "cmyk,sobel,oklab"
        self.assertIsNone(compare.recorded(self.options))
        compare.record({"rows": [row, {"name": "sobel", "ours": 2}], "absolute": [], "scaling": []}, self.options, None)
        again = {"rows": [{"name": "cmyk", "ours": 3}, {"name": "oklab", "ours": 4}], "absolute": [], "scaling": []}
        compare.record(again, self.options, compare.recorded(self.options))
        with open(self.options.record) as file:
            figures = json.load(file)
        self.assertEqual([(row["name"], row["ours"]) for row in figures["rows"]], [("cmyk", 3), ("sobel", 2), ("oklab", 4)])
        self.options.rounds = 3
        with self.assertRaises(SystemExit):
            compare.recorded(self.options)

    def test_names_of_rows_differ(self):
        names = [row.name for row in [*compare.ROWS, *compare.ABSOLUTE, *compare.THREADS]]
        self.assertEqual(len(set(names)), len(names))


unittest.main()
