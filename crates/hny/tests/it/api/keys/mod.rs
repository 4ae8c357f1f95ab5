//! `/api/v1/keys`, and API keys wherever they are sent.

mod create;
mod presented;
mod read;
mod revoke;
