//! What we know of a request for a link.

/// A request for a link, without anything of HTTP that no rule asks for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Visit<'a> {
    /// What stood behind the `?` of the request, byte for byte; `None` without a `?`.
    pub query: Option<&'a str>,
}
