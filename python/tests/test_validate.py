"""The judge of generated rules."""

import groundfrog

LAMP = """(role robot) (init (lamp off)) (legal robot push)
 (<= (next (lamp on)) (does robot push)) (<= terminal (true (lamp on)))
 (<= (goal robot 100) (true (lamp on))) (<= (goal robot 0) (true (lamp off)))"""


def kinds(verdict):
    return [reason["kind"] for reason in verdict["reasons"]]


def test_a_game_is_valid():
    assert groundfrog.validate(LAMP) == {"valid": True, "fragment": "bounded", "reasons": []} or (
        groundfrog.validate(LAMP)["valid"] is True
    )


def test_errors_of_notation_have_places():
    verdict = groundfrog.validate("(role robot")
    assert verdict["valid"] is False and kinds(verdict) == ["syntax"]
    assert verdict["reasons"][0]["places"][0]["line"] == 1


def test_unsafe_rules_are_named():
    verdict = groundfrog.validate(LAMP + " (<= (next (lamp ?x)) (does robot push))")
    assert verdict["valid"] is False and "restriction" in kinds(verdict)
    assert "?x" in verdict["reasons"][0]["message"]


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
