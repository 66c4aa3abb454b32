//! Messages that come late.

use groundfrog_corpus::relative;
use groundfrog_languages::realtime::simulate::{ScriptedMove, read_script};
use groundfrog_reasoner::Random;

use super::{all_shown, number, play, start};

/// A fuse that can be lit and put out.
const FUSE: &str = "(role ann) (role bob) (init 0.5 short) (init 2 long)
    (<= (next ?t long) (true ?t long)) (<= (next ?t short) (true ?t short) (not (does bob wet)))
    (<= (next 1 short) (does bob wet) (true ?t short))
    (<= (next infinity burnt) (expired short)) (<= (next infinity burnt) (true infinity burnt))
    (<= (legal bob wet) (true ?t short)) (<= (legal ann look) (true infinity burnt))
    (<= (next infinity seen) (does ann look)) (<= (next infinity seen) (true infinity seen))
    (<= terminal (expired long))
    (<= (goal ?r 100) (role ?r) (true infinity burnt))
    (<= (goal ?r 0) (role ?r) (not (true infinity burnt)))";

#[test]
fn a_late_message_gives_the_state_of_the_run_without_lag() {
    let mut late = start(FUSE);
    // At 0.9 an expiry at 0.5 and a move at 0.6 have happened; then the move of 0.4 becomes known.
    play(&mut late, "(0.6 ann look)", "0.9");
    assert_eq!(late.events().len(), 3);
    let script = read_script("(0.4 bob wet)", late.reasoner()).expect("a script");
    let ScriptedMove { time, role, term } = script[0].clone();
    assert_eq!(late.add_move(time, role, term), 2);
    late.advance_to(&number("0.9")).expect("rules");
    let mut in_time = start(FUSE);
    play(&mut in_time, "(0.4 bob wet) (0.6 ann look)", "0.9");
    // Nothing has burnt now, so that looking at 0.6 was not legal; the fuse ends at 1.4.
    assert_eq!(all_shown(&mut late), all_shown(&mut in_time));
    assert_eq!(late.events().len(), 2);
    for timeline in [&mut late, &mut in_time] {
        timeline.advance_to(&number("3")).expect("rules");
        assert!(timeline.is_over());
    }
    assert_eq!(all_shown(&mut late), all_shown(&mut in_time));
    assert_eq!(late.events()[2].time, number("1.4"));
}

#[test]
fn in_whatever_order_moves_become_known() {
    let script = "(0.1 white swerve) (0.4 bob look) (0.4 black swerve) (1 white swerve)";
    let script = script.replace("bob look", "white wait");
    let text = relative("chicken").expect("of the corpus").text;
    let mut in_time = start(text);
    play(&mut in_time, &script, "2");
    let expected = all_shown(&mut in_time);
    let mut random = Random::new(3);
    for _ in 0..50 {
        let mut timeline = start(text);
        let mut moves = read_script(&script, timeline.reasoner()).expect("a script");
        while !moves.is_empty() {
            let next = moves.swap_remove(random.below(moves.len() as u32) as usize);
            timeline.add_move(next.time, next.role, next.term);
            let now = number(["0.2", "0.5", "1.5"][random.below(3) as usize]);
            timeline.advance_to(&now).expect("rules");
        }
        timeline.advance_to(&number("2")).expect("rules");
        assert_eq!(all_shown(&mut timeline), expected);
    }
}
