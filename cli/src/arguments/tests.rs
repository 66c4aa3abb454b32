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
    command = command.disable_help_subcommand(true);
    command.build();
    assert!(listed.iter().all(|it| !it.is_empty()), "{listed:?}");
    assert_eq!(about(&command), listed);
    command.debug_assert();
}
