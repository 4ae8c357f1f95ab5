//! The whole program from outside. Folders mirror the URL tree and the command line.
#![cfg(test)]

mod access;
mod api;
mod bad_input;
mod cli;
mod clicks;
mod codes;
mod contract;
mod cors;
mod domains;
mod health;
mod injection;
mod limits;
mod metrics;
mod pages;
mod postgres;
mod preview;
mod private;
mod real_input;
mod redirect;
mod redis;
mod retention;
mod roles;
mod safe_browsing;
mod secrets;
mod start;
mod url_fidelity;
mod url_validation;
mod visits;

// What the tests above are written in.
mod caller;
mod document;
mod instant;
mod keeper;
mod site;
