//! What a person at the terminal is told when a verb was not done.

use hny_service::Error;

use super::run::with_causes;
use crate::exit::Exit;
use crate::printer::say;

/// Says why, and what would be right; the exit code to end with.
pub(super) fn explain(error: &Error) -> Exit {
    match error {
        Error::Invalid(fields) | Error::KeyNeeded(fields) => {
            for field in fields {
                say(field);
            }
            return Exit::Usage;
        }
        Error::LinkNotFound => say("there is no link with this code; upper and lower case count"),
        Error::CodeTaken => say("another link has this code; choose another, or leave --code out to get one drawn"),
        Error::NoFreeCode(draws) => {
            say(format_args!("no free code in {draws} draws: set a greater code_length (HNY_CODE_LENGTH)"));
        }
        Error::Store(error) => say(with_causes(error)),
    }
    Exit::Failed
}
