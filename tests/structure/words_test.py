"""What words.py stands on: which identifiers and which lines it rejects."""
import pathlib
import unittest

import words


class Identifiers(unittest.TestCase):
    def test_words_of_the_dialect_are_found(self):
        for name in ("wish", "Wish", "begin_turn", "wayTo", "by_way", "most_halvings", "least_time", "longest_leg", "largest_speed", "smallest_gap"):
            self.assertIsNotNone(words.wrong_word(name), name)

    def test_the_field_s_words_pass(self):
        for name in ("least_squares", "returns", "always", "almost", "leastways", "desired", "max_turns", "headroom", "AxisTurn"):
            self.assertIsNone(words.wrong_word(name), name)

    def test_comments_and_literals_do_not_count(self):
        code = words.code_of(pathlib.Path("a.cpp"), '// on the way\nint x = f("turn");  /* most_ */\nint way;')
        self.assertEqual(code.split(), ["int", "x", "=", "f(", ");", "int", "way;"])
        code = words.code_of(pathlib.Path("a.py"), '"""by the way"""\nturn = 1  # wish\n')
        self.assertEqual(code.split(), ["turn", "=", "1"])


class Comments(unittest.TestCase):
    def test_those_without_a_subject_are_found(self):
        for line in ("  // Of each hull.", "/// Of the state", "int a;  ///< Of all"):
            self.assertTrue(words.RIDDLE.search(line), line)

    def test_others_pass(self):
        for line in ("// One of each hull.", "// The mass of a body", 'out << "Of course"', "// Offset of x"):
            self.assertFalse(words.RIDDLE.search(line), line)


class Sentences(unittest.TestCase):
    def test_two_in_a_line_are_found(self):
        for line in ("It stands. It walks.", "- one. Two", "Is it so? It is.", "It ends (here). `f` begins.", "A. text. [link](x.md) more"):
            self.assertTrue(words.sentence_ends(line), line)

    def test_one_in_a_line_passes(self):
        for line in ("1. First of a list", "**Price.** Three files.", "*Cores.* All of them", "as in R. Featherstone's book",
                     "min x   s.t.   J x = 0", "`A. B`, of which one is meant", "it ends (Here. And there) later", "0.5 m, e.g. North"):
            self.assertFalse(words.sentence_ends(line), line)

    def test_the_pieces_are_the_sentences(self):
        line = "It stands. `f()` walks. It falls."
        self.assertEqual([line[end:] for end in words.sentence_ends(line)], ["`f()` walks. It falls.", "It falls."])


if __name__ == "__main__":
    unittest.main()
