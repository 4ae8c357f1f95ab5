//! Paths without detours.

/// The path with `.` and `..` resolved and slashes in a row as one. It begins with a slash, and ends with one if it did.
pub(super) fn resolved(path: &[u8]) -> Vec<u8> {
    let mut segments: Vec<&[u8]> = Vec::new();
    let mut last = &b""[..];
    for segment in path.split(|byte| *byte == b'/') {
        last = segment;
        match segment {
            b"" | b"." => {}
            b".." => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    let is_folder = matches!(last, b"" | b"." | b"..");
    let mut resolved = Vec::with_capacity(path.len() + 1);
    for segment in &segments {
        resolved.push(b'/');
        resolved.extend_from_slice(segment);
    }
    if is_folder || segments.is_empty() {
        resolved.push(b'/');
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detours_are_left_out() {
        // The last two are of the tests of Google's client for Go.
        for (path, expected) in [
            ("", "/"),
            ("/", "/"),
            ("/a/.", "/a/"),
            ("/a/..", "/"),
            ("/../../a", "/a"),
            ("/a/b/../c/", "/a/c/"),
            ("/...", "/..."),
            ("/foo/.././bar/./../foo.html", "/foo.html"),
            ("//a//b///c////", "/a/b/c/"),
        ] {
            assert_eq!(resolved(path.as_bytes()), expected.as_bytes(), "{path}");
        }
    }
}
