//! What a provider is asked about pages: as few inquiries as it takes for all of them.

use std::collections::HashSet;

use super::expressions::FullHash;
use super::kept::Question;
use super::provider::Provider;

/// A page that is to be asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    /// Which of several it is.
    pub(super) number: usize,
    pub(super) url: String,
    /// What may be on a list.
    pub(super) hashes: Vec<FullHash>,
}

impl Page {
    pub(super) fn new(provider: &Provider, number: usize, url: String) -> Self {
        Self { number, hashes: provider.hashes(&url), url }
    }
}

/// Pages, each with what is not known of it, parted so that each part is one inquiry of `most` questions, if a page has no more by itself.
pub(super) fn parted(pages: Vec<(Page, Vec<Question>)>, most: usize) -> Vec<Vec<Page>> {
    let (mut parts, mut part, mut asked) = (Vec::new(), Vec::new(), HashSet::new());
    for (page, questions) in pages {
        let more = questions.iter().filter(|question| !asked.contains(*question)).count();
        if !part.is_empty() && asked.len() + more > most {
            parts.push(std::mem::take(&mut part));
            asked.clear();
        }
        asked.extend(questions);
        part.push(page);
    }
    parts.extend(Some(part).filter(|part| !part.is_empty()));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which pages are together, of pages with these questions.
    fn together(pages: &[&[u8]], most: usize) -> Vec<Vec<usize>> {
        let page = |(number, questions): (usize, &&[u8])| {
            let page = Page { number, url: String::new(), hashes: Vec::new() };
            (page, questions.iter().map(|byte| [*byte; 32]).collect())
        };
        let parts = parted(pages.iter().enumerate().map(page).collect(), most);
        parts.iter().map(|part| part.iter().map(|page| page.number).collect()).collect()
    }

    #[test]
    fn an_inquiry_has_only_so_many_questions() {
        assert_eq!(together(&[], 3), [[0; 0]; 0]);
        assert_eq!(together(&[&[1, 2], &[3], &[4]], 3), [vec![0, 1], vec![2]]);
        assert_eq!(together(&[&[1, 2], &[2, 3], &[1, 3], &[4]], 3), [vec![0, 1, 2], vec![3]], "each is asked once");
        assert_eq!(together(&[&[1, 2, 3, 4], &[5]], 3), [vec![0], vec![1]], "a page is never parted");
        assert_eq!(together(&[&[1], &[2], &[3]], 1), [[0], [1], [2]]);
    }
}
