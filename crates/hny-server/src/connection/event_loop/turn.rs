//! A turn of the loop: read, then answer.

use std::mem::take;
use std::ops::Range;

use super::EventLoop;
use crate::front::Answering;

/// How much is read from a connection at once.
pub(super) const READ: usize = 4096;

/// How much is read in a turn: some hundred requests as browsers send them, and it stays in the processor's own memory.
const ARENA: usize = 64 * 1024;

/// Room for all that is read in a turn: one part behind the other.
pub(super) struct Room {
    arena: Box<[u8]>,
    parts: Vec<Part>,
}

/// What was read from one connection, and where in the arena it stands.
struct Part {
    token: usize,
    bytes: Range<usize>,
}

impl Default for Room {
    fn default() -> Self {
        Self { arena: vec![0; ARENA].into(), parts: Vec::new() }
    }
}

impl<S: Answering> EventLoop<S> {
    /// Reads from those that are ready, as far as there is room, then answers them.
    pub(super) fn take_turn(&mut self) {
        let (mut arena, mut parts) = (take(&mut self.room.arena), take(&mut self.room.parts));
        self.read(&mut arena, &mut parts);
        for Part { token, bytes } in parts.drain(..) {
            self.advance(token, |exchange, road| exchange.receive(&arena[bytes], road));
        }
        self.room = Room { arena, parts };
    }

    fn read(&mut self, arena: &mut [u8], parts: &mut Vec<Part>) {
        let (mut filled, mut looked_at) = (0, 0);
        while looked_at < self.ready.len() && arena.len() - filled >= READ {
            let token = self.ready[looked_at];
            looked_at += 1;
            let Some(connection) = self.connections.get_mut(token) else { continue };
            match connection.read(&mut arena[filled..filled + READ]) {
                Ok(Some(0)) => self.advance(token, |exchange, _| Some(exchange.receive_end())),
                Ok(Some(length)) => {
                    let bytes = filled..filled + length;
                    if let Some(road) = self.service.road() {
                        road.expect(&arena[bytes.clone()]);
                    }
                    filled = bytes.end;
                    parts.push(Part { token, bytes });
                }
                Ok(None) => {}
                Err(_) => drop(self.remove(token)),
            }
        }
        self.ready.drain(..looked_at);
    }
}
