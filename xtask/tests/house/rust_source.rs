//! Just enough of Rust's grammar to tell code, text between quotes and comments apart.

/// A source file taken apart.
pub(crate) struct Source {
    /// The code, line for line as it was; strings are empty, comments and the modules marked `#[cfg(test)]` are gone.
    pub(crate) code: String,
    /// What stands between quotes outside of tests, each with its line number.
    pub(crate) strings: Vec<(usize, String)>,
}

impl Source {
    pub(crate) fn read(text: &str) -> Self {
        let mut source = Self { code: String::new(), strings: Vec::new() };
        let mut rest = text;
        while !rest.is_empty() {
            rest = source.take(rest);
        }
        source.drop_test_modules();
        source
    }

    /// The lines of code, numbered from one.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    /// Takes one comment, string or character, and returns what follows it.
    fn take<'a>(&mut self, text: &'a str) -> &'a str {
        if text.starts_with("//") {
            return &text[text.find('\n').unwrap_or(text.len())..];
        }
        let length = if text.starts_with("/*") {
            comment_length(text)
        } else if let Some((open, close)) = self.quote(text) {
            let length = if close == "\"" { escaped_length(&text[open..]) } else { text[open..].find(&close) };
            let end = length.map_or(text.len(), |length| open + length);
            self.strings.push((self.code.matches('\n').count() + 1, text[open..end].to_owned()));
            self.code.push_str("\"\"");
            (end + close.len()).min(text.len())
        } else {
            let length = character_length(text);
            self.code.push_str(if length == 1 { &text[..1] } else { "" });
            return if length == 1 { &text[1..] } else { &text[length..] };
        };
        // Line numbers must still be right after it.
        self.code.extend(text[..length].chars().filter(|character| *character == '\n'));
        &text[length..]
    }

    /// If a string begins here: the length of what opens it, and what closes it.
    fn quote(&self, text: &str) -> Option<(usize, String)> {
        if text.starts_with('"') {
            return Some((1, "\"".to_owned()));
        }
        // `for"` is no raw string: an r that belongs to a word opens nothing. (`br` and `cr` are such words.)
        let in_word = self.code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let prefixed = [" b", "(b", " c", "(c"].iter().any(|prefix| self.code.ends_with(prefix));
        let hashes = text.strip_prefix('r')?.bytes().take_while(|byte| *byte == b'#').count();
        let opens = text[1 + hashes..].starts_with('"') && (!in_word || prefixed);
        opens.then(|| (hashes + 2, format!("\"{}", "#".repeat(hashes))))
    }

    /// Empties every block behind `#[cfg(test)]`. (`mod tests;` has none: its file is a test by its name.)
    fn drop_test_modules(&mut self) {
        const MARK: &str = "#[cfg(test)]";
        let mut from = 0;
        while let Some(found) = self.code[from..].find(MARK) {
            let start = from + found;
            from = start + MARK.len();
            let Some(open) = self.code[from..].find(['{', ';']).map(|open| from + open) else {
                return;
            };
            if self.code[open..].starts_with(';') {
                continue;
            }
            let end = block_end(&self.code, open);
            let lines = |code: &str| code.matches('\n').count() + 1;
            let (first, last) = (lines(&self.code[..start]), lines(&self.code[..end]));
            self.strings.retain(|(line, _)| !(first..=last).contains(line));
            let blank = "\n".repeat(last - first);
            self.code.replace_range(start..end, &blank);
            from = start;
        }
    }
}

/// The length of a comment between `/*` and `*/`, which may hold others.
fn comment_length(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

/// Where the quote stands that closes a string with escapes.
fn escaped_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// The length of a character literal, or of one character of anything else (a lifetime has no closing quote).
fn character_length(text: &str) -> usize {
    let one = text.chars().next().map_or(1, char::len_utf8);
    let Some(rest) = text.strip_prefix('\'') else {
        return one;
    };
    if let Some(escape) = rest.strip_prefix('\\') {
        // The character behind the backslash may itself be a quote.
        return escape
            .char_indices()
            .nth(1)
            .and_then(|(at, _)| escape[at..].find('\'').map(|end| 2 + at + end + 1))
            .unwrap_or(one);
    }
    let inner = rest.chars().next().map_or(0, char::len_utf8);
    if rest[inner..].starts_with('\'') { inner + 2 } else { one }
}

/// Where the block ends that opens at `open`.
fn block_end(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return at + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

#[test]
fn comments_strings_and_tests_are_told_from_code() {
    let source = Source::read(
        r##"
        // a "comment"
        let a = "one \" // two"; let b = r#"three " four"#; let c = br"five";
        /* now /* nested */ " still */ let quote = '"'; let escaped = '\''; fn f<'a>(x: &'a str) {}
        let é = 'é';
        #[cfg(test)]
        mod tests { fn g() { let d = "hidden"; } }
        let after = "six";
        #[cfg(test)]
        mod more;
        "##,
    );
    let strings: Vec<_> = source.strings.iter().map(|(line, text)| (*line, text.as_str())).collect();
    assert_eq!(strings, [(3, r#"one \" // two"#), (3, "three \" four"), (3, "five"), (8, "six")]);
    for gone in ["comment", "nested", "still", "hidden", "fn g"] {
        assert!(!source.code.contains(gone), "{gone} in {}", source.code);
    }
    for kept in ["let quote", "let escaped", "fn f<'a>", "mod more;"] {
        assert!(source.code.contains(kept), "no {kept} in {}", source.code);
    }
    let after = source.lines().find(|(_, line)| line.contains("let after"));
    assert_eq!(after.map(|(number, _)| number), Some(8));
}
