//! Another code for a link.

use std::mem;

use crate::{Code, CodeOrigin, FieldError, Link};

/// How many aliases a link may have. Every change of a link is a change of each of them.
pub const MOST_ALIASES: usize = 20;

/// A wish for another code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rename {
    /// The code that the link shall have.
    pub code: Code,
    /// Whether it shall be found by the old one too, which becomes an alias.
    pub keep_alias: bool,
    /// Whether it may look like another chosen code; see [`crate::Draft::allow_lookalike`].
    pub allow_lookalike: bool,
}

impl Rename {
    /// Gives a link its new code. Whether that is free is for the store to say.
    pub(crate) fn apply_to(self, link: &mut Link) -> Result<(), FieldError> {
        if self.code == link.code {
            return Ok(());
        }
        if link.private && link.password.is_none() {
            let detail =
                "the code of a private link is drawn, so that nobody can guess it; set a password to choose one";
            return Err(FieldError::new("customCode", detail));
        }
        // An alias of its own becomes its code again.
        link.aliases.retain(|alias| *alias != self.code);
        let old = mem::replace(&mut link.code, self.code);
        link.origin = CodeOrigin::Custom;
        if self.keep_alias {
            link.aliases.push(old);
        }
        if link.aliases.len() > MOST_ALIASES {
            let detail = format_args!("a link has at most {MOST_ALIASES} aliases; delete one, or leave this out");
            return Err(FieldError::new("keepAlias", detail));
        }
        Ok(())
    }
}
