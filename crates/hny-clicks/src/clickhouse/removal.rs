//! Removing the clicks of links that are gone.

use hny_domain::LinkId;

use super::{ClickHouse, ClickHouseError, in_time};

/// The tables that have clicks in them. The one that names the links is the last: who is interrupted begins again with the same.
const TABLES: [&str; 3] = ["clicks", "click_visitors", "click_quarters"];

impl ClickHouse {
    /// The next links that have clicks, by ascending id.
    pub async fn links_after(&self, after: Option<LinkId>, limit: usize) -> Result<Vec<LinkId>, ClickHouseError> {
        let sql = "SELECT DISTINCT link FROM click_quarters WHERE ? OR link > ? ORDER BY link LIMIT ?";
        let query = self.query(sql).bind(after.is_none()).bind(after.map_or(0, |link| link.0)).bind(limit);
        let links: Vec<i64> = in_time(query.fetch_all()).await?;
        Ok(links.into_iter().map(LinkId).collect())
    }

    /// Removes all clicks of these links.
    pub async fn remove(&self, links: &[LinkId]) -> Result<(), ClickHouseError> {
        if links.is_empty() {
            return Ok(());
        }
        let numbers: Vec<i64> = links.iter().map(|link| link.0).collect();
        for table in TABLES {
            let sql = format!("DELETE FROM {table} WHERE link IN ?");
            in_time(self.query(&sql).bind(&numbers).execute()).await?;
        }
        Ok(())
    }
}
