//! What a handler may ask of a request. Each is checked at the door, so that a handler's parameters say what it relies on.

mod body;
mod caller;
mod client;
mod code;
mod form;
mod idempotency_key;
mod if_match;
mod number;
mod parameters;
mod posted;

pub(crate) use body::Json;
pub(crate) use caller::{Anyone, KeyHolder};
pub(crate) use client::FromClient;
pub(crate) use code::{LinkPlace, PathCode};
pub(crate) use form::Form;
pub(crate) use idempotency_key::MOST_OF_A_KEY;
pub(crate) use if_match::IfMatch;
pub(crate) use number::{PathKey, PathReport};
pub(crate) use parameters::{Parameters, invalid};
pub(crate) use posted::Posted;
