//! What the search in the database does as well.

use ports::contract::searching;

use crate::shop::Indexed;

#[tokio::test(flavor = "multi_thread")]
async fn a_number_finds_its_part_however_it_is_written_and_says_why() {
    searching::numbers(&Indexed::open().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archived_part_leads_to_the_one_that_replaces_it() {
    searching::replacements(&Indexed::open().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn all_words_in_any_order_sizes_synonyms_and_slips_find_a_part() {
    searching::words(&Indexed::open().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_be_chosen_is_counted_as_it_is_listed() {
    searching::facets(&Indexed::open().await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_neither_repeat_nor_skip_and_exact_numbers_come_first() {
    searching::pages(&Indexed::open().await).await;
}
