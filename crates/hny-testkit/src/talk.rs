//! What a child process has said on one of its streams, and waiting for it to say something.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// The bytes read from one stream so far. A thread of its own reads, so a talkative child never blocks on a full pipe.
pub(crate) struct Talk {
    heard: Arc<Heard>,
    reader: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Heard {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    bytes: Vec<u8>,
    closed: bool,
}

/// Why [`Talk::wait_for`] has no answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// Everyone who could write has closed the stream: the child ended.
    Closed,
    /// The deadline passed.
    Late,
}

impl Talk {
    /// Starts to listen to `stream` until its end.
    pub(crate) fn listen(stream: impl Read + Send + 'static) -> Self {
        let heard = Arc::new(Heard::default());
        let writer = Arc::clone(&heard);
        let reader = std::thread::spawn(move || writer.take_in(stream));
        Self { heard, reader: Some(reader) }
    }

    /// All that was said until now.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.heard.lock().bytes.clone()
    }

    /// All that was said until now, with replacement characters for what is not UTF-8.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    /// The first line for which `find` has an answer, waiting for that line for at most `deadline`.
    pub(crate) fn wait_for<T>(&self, find: impl Fn(&str) -> Option<T>, deadline: Duration) -> Result<T, Silence> {
        let mut found = None;
        let look = |state: &mut State| {
            found = String::from_utf8_lossy(&state.bytes)
                .split_inclusive('\n')
                .filter(|l| l.ends_with('\n'))
                .find_map(&find);
            found.is_none() && !state.closed
        };
        let state = self.heard.lock();
        let (_state, wait) =
            self.heard.changed.wait_timeout_while(state, deadline, look).unwrap_or_else(PoisonError::into_inner);
        found.ok_or(if wait.timed_out() { Silence::Late } else { Silence::Closed })
    }

    /// Waits until everyone who could write has closed the stream. A wrapper such as `strace -D` may outlive its child a
    /// little; when its stream is closed it has written its file.
    pub(crate) fn finish(&mut self, deadline: Duration) -> Result<(), Silence> {
        match self.wait_for(|_| None::<()>, deadline) {
            Err(Silence::Late) => return Err(Silence::Late),
            Err(Silence::Closed) | Ok(()) => {}
        }
        // The reader returns right after it marks the stream as closed.
        self.reader.take().map_or(Ok(()), |reader| reader.join().map_err(|_| Silence::Closed))
    }
}

impl Heard {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is whole after every step, so a panic elsewhere does not spoil it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_in(&self, stream: impl Read) {
        let mut stream = BufReader::new(stream);
        loop {
            let read = stream.fill_buf().map_or(0, |bytes| {
                self.lock().bytes.extend_from_slice(bytes);
                bytes.len()
            });
            stream.consume(read);
            self.lock().closed = read == 0;
            self.changed.notify_all();
            if read == 0 {
                return;
            }
        }
    }
}
