//! What the place can show that we write to.

use std::env::var_os;
use std::io::stdout;

use rustix::termios::tcgetwinsize;

/// The width of what is no terminal, such as a file.
const USUAL: usize = 80;

/// What can be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Terminal {
    /// How many characters a line has room for.
    pub(super) columns: usize,
    /// Whether it knows more than ASCII.
    pub(super) is_unicode: bool,
}

impl Terminal {
    /// That which stdout is connected to, by what the system and the locale say.
    pub(super) fn of_stdout() -> Self {
        let columns = tcgetwinsize(stdout()).map(|size| usize::from(size.ws_col)).ok();
        // The first that is set decides (POSIX, section 8.2).
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(var_os).find(|name| !name.is_empty());
        Self {
            columns: columns.filter(|columns| *columns > 0).unwrap_or(USUAL),
            is_unicode: locale.is_some_and(|name| names_utf8(&name.to_string_lossy())),
        }
    }
}

/// Whether a locale, such as `de_DE.UTF-8`, says that texts are UTF-8.
fn names_utf8(locale: &str) -> bool {
    let charset = locale.split_once('.').map_or("", |(_, charset)| charset).to_ascii_lowercase();
    let charset = charset.split('@').next().unwrap_or_default();
    matches!(charset, "utf-8" | "utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_names_its_character_set() {
        for locale in ["de_DE.UTF-8", "C.utf8", "ko_KR.UTF-8@x"] {
            assert!(names_utf8(locale), "{locale}");
        }
        for locale in ["C", "POSIX", "de_DE", "de_DE.ISO-8859-1", "UTF-8"] {
            assert!(!names_utf8(locale), "{locale}");
        }
    }
}
