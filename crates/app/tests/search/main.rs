//! The search engine against a server that speaks OpenSearch, which others wrote (`osmem-server`). `make test-search` names
//! its program in `OSMEM_SERVER_BIN`; each test starts one of its own. The contract is the one that the search in the
//! database keeps as well.

#![cfg(test)]
mod contract;
mod following;
mod shop;
