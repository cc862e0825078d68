//! Scripts that complete commands, flags and their values in a shell.
//!
//! `wane FILE` is `wane check FILE` in a shell, too: where the first word is no command, the scripts
//! that clap makes are told of `check`, by a few lines that are put into them.

use super::Arguments;
use clap::{CommandFactory as _, ValueEnum as _};
use clap_complete::Shell;
use report::codes;

/// The script for a shell.
pub(super) fn script(shell: Shell) -> String {
    let mut command = Arguments::command();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "wane", &mut script);
    let script = String::from_utf8_lossy(&script);
    let names = command.get_subcommands().map(|it| it.get_name().to_owned());
    let commands: Vec<String> = names.chain(["help".to_owned()]).collect();
    match shell {
        Shell::Bash => script.replacen("_wane() {\n", &bash(&commands), 1),
        // Flags may stand behind files, too.
        Shell::Zsh => script.replacen("_wane() {\n", &zsh(&commands), 1).replace("\n'*::", "\n'*:"),
        Shell::Fish => {
            let function = "function __fish_wane_using_subcommand\n    \
                            set -l cmd (__fish_wane_needs_command)\n";
            let told = script.replacen(function, &format!("{function}{}", fish(&commands)), 1);
            format!("{told}{}", values_in_fish())
        }
        _ => script.into_owned(),
    }
}

/// The word that is looked for is the first one, unless that is a flag.
fn bash(commands: &[String]) -> String {
    format!(
        "_wane() {{\n    \
         case \"${{COMP_WORDS[1]}}\" in\n        \
         {}) ;;\n        \
         *)\n            \
         if [[ ${{COMP_CWORD}} -gt 1 || \"${{COMP_WORDS[1]}}\" == -* ]]; then\n                \
         COMP_WORDS=(\"${{COMP_WORDS[0]}}\" check \"${{COMP_WORDS[@]:1}}\")\n                \
         COMP_CWORD=$((COMP_CWORD + 1))\n            \
         fi\n            \
         ;;\n    \
         esac\n",
        commands.join("|")
    )
}

/// The same; words count from 1 there.
fn zsh(commands: &[String]) -> String {
    format!(
        "_wane() {{\n    \
         if [[ ( $CURRENT -gt 2 || $words[2] == -* ) && $words[2] != ({}) ]]; then\n        \
         words=(\"$words[1]\" check \"${{(@)words[2,-1]}}\")\n        \
         (( CURRENT += 1 ))\n    \
         fi\n",
        commands.join("|")
    )
}

/// The command is that of `check`, if it is none.
fn fish(commands: &[String]) -> String {
    format!("    contains -- \"$cmd[1]\" {}\n    or set cmd check\n", commands.join(" "))
}

/// Values of words that are no flags, which the script for fish leaves out.
fn values_in_fish() -> String {
    let codes = codes::all().iter().map(|page| page.code.to_owned()).collect();
    let shells = Shell::value_variants().iter().map(Shell::to_string).collect();
    let values: [(&str, Vec<String>); 2] = [("explain", codes), ("completions", shells)];
    let line = |(command, values): (&str, Vec<String>)| {
        let condition = format!("__fish_wane_using_subcommand {command}");
        format!("complete -c wane -n \"{condition}\" -f -a \"{}\"\n", values.join(" "))
    };
    values.into_iter().map(line).collect()
}
