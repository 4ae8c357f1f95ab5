//! The whole program from outside. Folders mirror the URL tree and the command line.
#![cfg(test)]

mod api;
mod cli;
mod redirect;
mod start;

// What the tests above are written in.
mod caller;
mod document;
mod instant;
mod site;
