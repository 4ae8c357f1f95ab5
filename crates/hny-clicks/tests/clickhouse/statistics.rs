//! Statistics are the same as those of a database, case by case.

use hny_statistics_contract::for_each_case;

use crate::counted::Counted;
use crate::engine::start;

macro_rules! tests {
    ($($case:ident),+ $(,)?) => {
        $(
            #[tokio::test]
            async fn $case() {
                let (_engine, clickhouse) = start().await;
                hny_statistics_contract::$case(&Counted::new(clickhouse)).await;
            }
        )+
    };
}
for_each_case!(tests);
