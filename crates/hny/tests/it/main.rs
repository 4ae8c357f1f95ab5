//! The whole program from outside. Folders mirror the URL tree and the command line.
#![cfg(test)]

mod start;
