//! What `deploy/` and the `Dockerfile` say is what the program and the tools that read them understand.
#![cfg(test)]

mod compose;
mod image;

const COMPOSE: &str = include_str!("../../../../deploy/compose.yaml");
