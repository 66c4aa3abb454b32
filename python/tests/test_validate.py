"""The judge of generated rules."""

import groundfrog

LAMP = """(role robot) (init (lamp off)) (legal robot push)
 (<= (next (lamp on)) (does robot push)) (<= terminal (true (lamp on)))
 (<= (goal robot 100) (true (lamp on))) (<= (goal robot 0) (true (lamp off)))"""


def kinds(verdict):
    return [reason["kind"] for reason in verdict["reasons"]]


def test_a_game_is_valid():
    verdict = groundfrog.validate(LAMP)
    assert verdict["valid"] is True and verdict["reasons"] == []
    assert verdict["fragment"] == "propositional" and verdict["mended"] is None


def test_errors_of_notation_have_places():
    verdict = groundfrog.validate("(role robot")
    assert verdict["valid"] is False and kinds(verdict) == ["syntax"]
    assert verdict["reasons"][0]["places"][0]["line"] == 1


def test_unsafe_rules_are_named():
    verdict = groundfrog.validate(LAMP + " (<= (next (lamp ?x)) (does robot push))")
    assert verdict["valid"] is False and kinds(verdict) == ["safety"]
    reason = verdict["reasons"][0]
    assert "?x" in reason["message"] and reason["code"] == "GF0302" and reason["repair"]
    place = reason["places"][0]
    assert (LAMP + " (<= (next (lamp ?x))").encode()[place["start"] : place["end"]] == b"(next (lamp ?x))"


def test_a_game_that_sticks_is_not_playable():
    stuck = LAMP.replace("(legal robot push)", "(<= (legal robot push) (true (lamp broken)))")
    verdict = groundfrog.validate(stuck)
    assert verdict["valid"] is False and "playability" in kinds(verdict)


def test_a_limit_decides_nothing():
    digits = " ".join(f"(d {number})" for number in range(10))
    large = LAMP + digits + "(<= (legal robot (press ?a ?b ?c ?d ?e ?f ?g ?h)) " + " ".join(
        f"(d ?{letter})" for letter in "abcdefgh"
    ) + ")"
    verdict = groundfrog.validate(large, timeout=0.3)
    assert verdict["valid"] is None and set(kinds(verdict)) == {"limit"}


def test_many_at_once_keep_their_order():
    verdicts = groundfrog.validate_all([LAMP, "(", LAMP])
    assert [verdict["valid"] for verdict in verdicts] == [True, False, True]


def test_damaged_games_never_end_the_interpreter():
    for place in range(0, len(LAMP), 3):
        verdict = groundfrog.validate(LAMP[:place] + LAMP[place + 1 :], timeout=1.0)
        assert verdict["valid"] in (True, False, None)


def mended(text, **options):
    """The text with all edits that are proposed, one reason after the other."""
    for _ in range(10):
        verdict = groundfrog.validate(text, **options)
        if verdict["mended"] is None:
            return verdict, text
        text = verdict["mended"]
    raise AssertionError("edits do not end")


def test_edits_mend_notation_and_variables():
    for damaged in [
        LAMP[:-1],
        LAMP.replace("push))", "push)", 1),
        LAMP + ")",
        LAMP + "()",
        LAMP + " (<= (next (seen ?state)) (true (lamp ?stat)))",
    ]:
        assert groundfrog.validate(damaged)["valid"] is False
        assert mended(damaged)[0]["valid"] is True, damaged


def test_edits_let_a_game_go_on_that_sticks_and_give_goals():
    stuck = LAMP.replace("(legal robot push)", "(<= (legal robot push) (true (lamp broken))) ; never")
    verdict = groundfrog.validate(stuck)
    assert kinds(verdict) == ["playability"] and verdict["reasons"][0]["code"] == "GF0702"
    after, text = mended(stuck)
    assert "(legal robot noop)" in text
    # Nobody is stuck. Now no match can end, which only the author can mend.
    assert [reason["code"] for reason in after["reasons"]] == ["GF0709"]
    aimless = LAMP.replace("(<= (goal robot 100) (true (lamp on)))", "")
    assert groundfrog.validate(aimless)["reasons"][0]["code"] == "GF0703"
    assert mended(aimless)[0]["valid"] is True


def test_a_reference_game_may_have_other_fluents():
    other = LAMP.replace("lamp", "light")
    reference = groundfrog.Game(LAMP)
    assert groundfrog.validate(other, reference=reference)["valid"] is True
    worth_less = other.replace("robot 100", "robot 70")
    verdict = groundfrog.validate(worth_less, reference=reference)
    assert verdict["valid"] is False and kinds(verdict) == ["reference"]
    reason = verdict["reasons"][0]
    assert reason["message"] == "(goal robot 100) should hold and does not, by the reference game"
    assert "push" in reason["repair"][0] and reason["places"][0]["line"] == 3
    another = groundfrog.validate(other.replace("push", "press"), reference=reference)
    assert "(legal robot push) should hold" in another["reasons"][0]["message"]


def test_traces_are_followed():
    import json

    start = {"playout": 0, "step": 0, "state": ["(lamp off)"], "legal": {"robot": ["push"]}}
    start |= {"terminal": False, "goal": {"robot": [0]}, "move": {"robot": "push"}}
    end = {"playout": 0, "step": 1, "state": ["(lamp on)"], "legal": {"robot": ["push"]}}
    end |= {"terminal": True, "goal": {"robot": [100]}, "move": None}
    traces = "\n".join(json.dumps(line) for line in [start, end]) + "\n"
    assert groundfrog.validate(LAMP, traces=traces)["valid"] is True
    verdict = groundfrog.validate(LAMP.replace("100", "90"), traces=traces)
    assert kinds(verdict) == ["trace"] and "goal robot" in verdict["reasons"][0]["message"]
    assert verdict["reasons"][0]["places"][0]["line"] == 3


def test_the_same_text_gives_the_same_verdict():
    for text in [LAMP, LAMP.replace("robot 100", "robot 500"), LAMP + " (<= terminal (not terminal))"]:
        assert groundfrog.validate(text) == groundfrog.validate(text) == groundfrog.validate_all([text])[0]
