//! Links of many owners, and which of them each caller sees.

use hny_domain::DomainId;
use serde_json::json;

use super::callers::{self, ELSEWHERE, Holder, here, make_key};
use crate::keeper::Keeper;

/// As many clicks on links of another key, and of nobody, on each domain.
const OF_ANOTHER: [u64; 2] = [100, 200];
const OF_NOBODY: [u64; 2] = [400, 800];

/// A link.
pub(crate) struct Owned {
    pub(crate) domain: DomainId,
    /// Such as `/aB3x9zQ`.
    pub(crate) path: String,
    /// As it stands in a table.
    owner: String,
    /// How often it shall be followed.
    pub(crate) clicks: u64,
}

/// The links of a site, and its callers.
pub(crate) struct Links {
    pub(crate) holders: Vec<Holder>,
    pub(crate) all: Vec<Owned>,
}

impl Links {
    /// On each domain one link of each caller that can have any there, of another key, and of nobody.
    pub(crate) fn on(keeper: &Keeper) -> Self {
        let holders = callers::all(keeper);
        let (other, _) = make_key(&keeper.site, &json!({"name": "other", "role": "creator"}));
        let mut all = Vec::new();
        for (number, domain) in [here(&keeper.site), ELSEWHERE.to_owned()].iter().enumerate() {
            let own = holders.iter().filter(|holder| holder.kind.sees[number][0] == 'y').map(Holder::owner).zip(1..);
            let owners = own.chain([(other.to_string(), OF_ANOTHER[number]), ("NULL".to_owned(), OF_NOBODY[number])]);
            let fields =
                json!({"originalUrl": "https://secret.example/", "title": "needle", "tags": ["hay"], "domain": domain});
            let domain = DomainId(u32::try_from(number).unwrap());
            for (owner, clicks) in owners {
                let path = keeper.admin().link(&fields);
                keeper.run(&format!("UPDATE links SET owner = {owner} WHERE code = '{}'", &path[1..]));
                all.push(Owned { domain, path, owner, clicks });
            }
        }
        Self { holders, all }
    }

    /// Those that a caller sees.
    pub(crate) fn seen_by(&self, holder: &Holder) -> Vec<&Owned> {
        let is_seen = |link: &Owned| {
            let [own, others, _] = holder.kind.sees[usize::from(link.domain != DomainId::BASE)];
            'y' == if link.owner == holder.owner() { own } else { others }
        };
        self.all.iter().filter(|link| is_seen(link)).collect()
    }
}
