//! Writing clicks: a block at a time, of which nothing is counted twice.

use hny_domain::Click;
use hny_store::Home;

use super::row::ClickRow;
use super::{ClickHouse, ClickHouseError, in_time};

/// How many clicks a block may have: as many as ClickHouse takes as one.
pub const LARGEST_BLOCK: usize = 100_000;

/// Clicks that are taken together.
#[derive(Debug, Clone)]
pub struct Block {
    /// Names the block: one with the same token is the same block, whatever is in it. Only what is missing of it is taken when
    /// it is sent again, in the table and in what the views fill.
    pub token: String,
    /// The clicks, with the homes of their links.
    pub clicks: Vec<(Click, Home)>,
}

/// What makes a request one block, and a repeated one nothing. The block must not be cut, be it for its size, by a second thread or for
/// its months, or its pieces would have other tokens when they are cut differently.
const SETTINGS: [(&str, &str); 11] = [
    ("async_insert", "0"),
    ("deduplicate_blocks_in_dependent_materialized_views", "1"),
    ("input_format_parallel_parsing", "0"),
    ("insert_deduplicate", "1"),
    ("max_block_size", "1048576"),
    ("max_insert_block_size", "1048576"),
    ("max_insert_threads", "1"),
    ("max_partitions_per_insert_block", "0"),
    ("max_threads", "1"),
    ("min_insert_block_size_rows", "1048576"),
    // An answer that has begun could not say any more that a view failed.
    ("wait_end_of_query", "1"),
];

impl ClickHouse {
    /// Adds a block. After an error it is there, or not, or in some tables and not in others: send it again, with the same token, and
    /// it is there once.
    pub async fn add(&self, block: &Block) -> Result<(), ClickHouseError> {
        if block.clicks.is_empty() {
            return Ok(());
        }
        let client =
            SETTINGS.iter().fold(self.client.clone(), |client, (name, value)| client.with_setting(*name, *value));
        let client = client.with_setting("insert_deduplication_token", &block.token);
        in_time(async {
            let mut insert = client.insert::<ClickRow<'_>>("clicks").await?;
            for (click, home) in &block.clicks {
                insert.write(&ClickRow::of(click, *home)).await?;
            }
            insert.end().await
        })
        .await
    }
}
