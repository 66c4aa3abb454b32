use clap::CommandFactory;

use super::*;

#[test]
fn a_command_says_of_itself_what_the_list_says() {
    let about = |command: &clap::Command| -> Vec<String> {
        let about = |it: &clap::Command| it.get_about().map(ToString::to_string);
        command.get_subcommands().map(|it| about(it).unwrap_or_default()).collect()
    };
    let mut command = Arguments::command();
    let listed = about(&command);
    command.build();
    assert!(listed.iter().all(|it| !it.is_empty()), "{listed:?}");
    assert_eq!(about(&command), listed);
    command.debug_assert();
}

#[test]
fn ground_alone_is_read_as_among_all_commands() {
    let lines = [
        "groundfrog ground a.kif",
        "groundfrog ground - --flat --simplify -q --fold-case",
        "groundfrog ground --format=aspif -o b --threads 0 -- a.kif",
        "groundfrog ground a.kif --without demand,inline --without moves --json-stats",
        "groundfrog ground a.kif --json-stats=b --engine naive --domains iterative",
        "groundfrog ground a.kif --time-limit 2m --max-memory none --max-rules 7 --max-term-depth 9",
        "groundfrog ground",
        "groundfrog ground --help",
        "groundfrog ground -h",
        "groundfrog ground --version",
        "groundfrog ground a.kif b.kif",
        "groundfrog ground a.kif --flat --flat",
        "groundfrog ground a.kif --flat --without demand",
        "groundfrog ground a.kif --threads 1025",
        "groundfrog ground a.kif --format c",
        "groundfrog ground a.kif --flt",
        "groundfrog help ground",
        "groundfrog --help",
        "groundfrog",
    ];
    let mut read = 0;
    for line in lines {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let alone = ground(&words).map(|it| format!("{:?}", Command::Ground(it)));
        let among_all = Arguments::try_parse_from(&words).map(|it| format!("{:?}", it.command));
        assert_eq!(alone, among_all.ok(), "{line}");
        read += usize::from(alone.is_some());
    }
    assert_eq!(read, 6);
}
