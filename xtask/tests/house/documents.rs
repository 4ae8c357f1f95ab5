//! ARCHITECTURE.md tells the truth: what it names is there, and it leaves no crate out.

use crate::tree::{Crate, File, crates, files};

const PAGE: &str = "ARCHITECTURE.md";

/// The default folder of waiting clicks, which has the form of a crate's name.
const SPOOL: &str = "hny-spool";

fn faults(page: &str, crates: &[Crate], files: &[File]) -> Vec<String> {
    let left_out =
        crates.iter().filter(|our| !names_crate(page, &our.name)).map(|our| format!("{} is not named", our.name));
    let spans = spans(page);
    let gone = spans.iter().filter(|span| {
        (is_crate(span) && !crates.iter().any(|our| our.name == **span)) || (is_path(span) && !exists(span, files))
    });
    left_out.chain(gone.map(|span| format!("`{span}` does not exist"))).collect()
}

/// Whether the page has the name of a crate as a word of its own: `hny` is not named by `hny-server`.
fn names_crate(page: &str, name: &str) -> bool {
    let joined = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    page.match_indices(name).any(|(at, _)| {
        let rest = &page[at + name.len()..];
        // A full stop ends a sentence here, unless letters follow it (`hny.toml`).
        let follows = rest.strip_prefix('.').unwrap_or(rest);
        !page[..at].ends_with(joined) && !rest.starts_with(['-', '_']) && !follows.starts_with(char::is_alphanumeric)
    })
}

/// What stands between single backticks, and the targets of links, outside of blocks.
fn spans(page: &str) -> Vec<String> {
    let outside: String = page.split("```").step_by(2).collect();
    let quoted = outside.split('`').skip(1).step_by(2);
    let linked = outside.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    quoted.chain(linked.filter(|link| !link.contains(':') && !link.is_empty())).map(str::to_owned).collect()
}

fn is_crate(span: &str) -> bool {
    let rest = span.strip_prefix("hny-").unwrap_or_default();
    !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_lowercase()) && span != SPOOL
}

/// Whether a span means a file or folder of ours. `/api/v1/links` is a target, `hny.toml` and `hny.db` are the user's,
/// `text/html` is a media type.
fn is_path(span: &str) -> bool {
    let path_signs = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    let ours = ["crates/", "xtask/", "docs/", "fuzz/", ".ci/", ".cargo/"].iter().any(|top| span.starts_with(top));
    let source =
        [".rs", ".sql", ".html", ".css"].iter().any(|ending| span.len() > ending.len() && span.ends_with(ending));
    let page = span.strip_suffix(".md").is_some_and(|name| !name.is_empty());
    let folder = span.ends_with('/');
    span.chars().all(path_signs) && !span.starts_with('/') && (ours || source || page || folder)
}

/// Whether a file is called so, or lies in a folder called so; the beginning of the path may be left out.
fn exists(span: &str, files: &[File]) -> bool {
    let wanted = format!("/{}", span.trim_start_matches("./"));
    let folder = format!("{}/", wanted.trim_end_matches('/'));
    files.iter().map(|file| format!("/{}", file.path)).any(|path| path.ends_with(&wanted) || path.contains(&folder))
}

/// Crates without a README and without a description at the top of their root file.
fn undescribed(crates: &[Crate], files: &[File]) -> Vec<String> {
    let described = |our: &&Crate| {
        let root = |name: &str| format!("{}/{name}", our.folder);
        let roots = [root("src/lib.rs"), root("src/main.rs")];
        files
            .iter()
            .any(|file| file.path == root("README.md") || (roots.contains(&file.path) && file.text.starts_with("//! ")))
    };
    let bare = crates.iter().filter(|our| !described(our));
    bare.map(|our| format!("{}: say in src/lib.rs (`//! …`, first line) what it is for", our.name)).collect()
}

#[test]
fn the_map_of_the_code_is_true_and_whole() {
    let files = files();
    let page = files.iter().find(|file| file.path == PAGE);
    let page = page.unwrap_or_else(|| panic!("{PAGE} is missing: a newcomer has no map of the code"));
    crate::assert_none(PAGE, &faults(&page.text, &crates(), &files));
}

#[test]
fn every_crate_says_what_it_is_for() {
    crate::assert_none("crates without a description", &undescribed(&crates(), &files()));
}

#[test]
fn an_untrue_map_is_found() {
    let files = [File::example("crates/hny-codes/src/alphabet.rs", ""), File::example("docs/adr/0001.md", "")];
    let crates = [Crate::example("hny", &[]), Crate::example("hny-codes", &[])];
    let find = |page: &str| faults(page, &crates, &files);
    let good = "The binary is hny. `hny-codes` has `alphabet.rs` in `src/`; see `crates/hny-codes`, [why](docs/adr/0001.md#x), \
        `/api/v1/`, `text/html`, `hny.toml`, [x](https://a.example/b.rs), `use a::b;`.\n```\ncrates/gone.rs hny-gone\n```\n";
    assert_eq!(find(good), Vec::<String>::new());
    for bad in [
        "`hny-gone`",
        "`gone.rs`",
        "`gone/`",
        "`crates/hny-gone/src`",
        "`abet.rs`",
        "[x](docs/gone.md)",
        "`docs/adr/0002.md`",
    ] {
        assert_eq!(find(&format!("{good}{bad}")).len(), 1, "{bad}");
    }
    assert_eq!(find("`hny-codes` and hny-server, `hny.toml`"), ["hny is not named"]);
    assert_eq!(find("hny, hny_codes"), ["hny-codes is not named"]);
}

#[test]
fn a_crate_without_a_description_is_found() {
    let crates = [Crate::example("hny-codes", &[])];
    let find = |path: &str, text: &str| undescribed(&crates, &[File::example(path, text)]).len();
    assert_eq!(find("crates/hny-codes/src/lib.rs", "use a;"), 1);
    assert_eq!(find("crates/hny-codes/src/lib.rs", "//! Codes."), 0);
    assert_eq!(find("crates/hny-codes/README.md", ""), 0);
    assert_eq!(find("crates/hny/src/lib.rs", "//! Not the one."), 1);
}
