#![doc = include_str!("../README.md")]

mod answer;
mod api;
mod app;
mod body;
mod cache_policy;
mod connection;
mod contract;
mod cors;
mod cross_site;
mod descriptor;
mod door;
mod extract;
mod front;
mod health;
mod metrics;
mod origin;
mod pages;
mod problem;
mod readiness;
mod redirect;
mod roles;
mod routes;
mod serve;
mod visitor;

pub use app::{App, Parts};
pub use connection::Limits;
pub use cors::{Origins, OriginsError};
pub use metrics::Metrics;
pub use readiness::Readiness;
pub use roles::{Role, Roles};
pub use routes::paths;
pub use serve::{Drain, serve, serve_metrics};
