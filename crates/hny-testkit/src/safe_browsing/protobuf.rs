//! `SearchHashesResponse`, written byte by byte: the kit must not agree with the program's library about a mistake.

use std::time::Duration;

use super::Detail;

/// The message with these hashes, and how long it may be kept.
pub(super) fn search_hashes_response<'a>(
    hits: impl Iterator<Item = &'a ([u8; 32], Vec<Detail>)>,
    lifetime: Duration,
) -> Vec<u8> {
    let mut message = Vec::new();
    for (hash, details) in hits {
        let mut full_hash = Vec::new();
        put_bytes(1, hash, &mut full_hash);
        for detail in details {
            put_bytes(2, &written(detail), &mut full_hash);
        }
        put_bytes(1, &full_hash, &mut message);
    }
    let mut span = Vec::new();
    put_number(1, lifetime.as_secs(), &mut span);
    put_number(2, lifetime.subsec_nanos().into(), &mut span);
    put_bytes(2, &span, &mut message);
    message
}

fn written(detail: &Detail) -> Vec<u8> {
    let mut message = Vec::new();
    put_number(1, detail.threat.into(), &mut message);
    let mut packed = Vec::new();
    for attribute in &detail.attributes {
        put_varint((*attribute).into(), &mut packed);
    }
    if !packed.is_empty() {
        put_bytes(2, &packed, &mut message);
    }
    message
}

fn put_bytes(field: u64, bytes: &[u8], message: &mut Vec<u8>) {
    put_varint(field << 3 | 2, message);
    put_varint(bytes.len() as u64, message);
    message.extend_from_slice(bytes);
}

/// Zero is what a field is that is not there.
fn put_number(field: u64, number: u64, message: &mut Vec<u8>) {
    if number > 0 {
        put_varint(field << 3, message);
        put_varint(number, message);
    }
}

fn put_varint(mut number: u64, message: &mut Vec<u8>) {
    while number >= 0x80 {
        message.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    message.push(number.to_le_bytes()[0]);
}
