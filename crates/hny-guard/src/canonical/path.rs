//! Paths without detours.

use std::borrow::Cow;

/// The path with `.` and `..` resolved and slashes in a row as one. It begins with a slash, and ends with one if it did.
pub(super) fn resolved(path: &[u8]) -> Cow<'_, [u8]> {
    if let Some(behind) = path.strip_prefix(b"/")
        && is_direct(behind)
    {
        return path.into();
    }
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
    resolved.into()
}

/// Whether there is no detour in what stands behind the first slash. Only its end may be empty.
fn is_direct(path: &[u8]) -> bool {
    let mut segments = path.split(|byte| *byte == b'/');
    let last = segments.next_back().unwrap_or_default();
    !matches!(last, b"." | b"..") && segments.all(|segment| !matches!(segment, b"" | b"." | b".."))
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
            ("/a/b/", "/a/b/"),
            ("/a/b//", "/a/b/"),
            ("//", "/"),
            ("a", "/a"),
        ] {
            assert_eq!(&*resolved(path.as_bytes()), expected.as_bytes(), "{path}");
        }
    }
}
