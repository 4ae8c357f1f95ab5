//! The running program, and the people who use it in a test.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use hny_testkit::{Client, DEADLINE, Program, Running};

use crate::caller::Caller;

/// A program to start, with nothing set but what the kit sets, and no limits on what only some tests do.
pub(crate) fn program() -> Program {
    let limits = ["HNY_PASSWORD_LIMIT", "HNY_LINK_PASSWORD_LIMIT", "HNY_REPORT_LIMIT"];
    limits.into_iter().fold(Program::new(env!("CARGO_BIN_EXE_hny")), |program, limit| program.env(limit, "off"))
}

/// A running program with an API key for its admin.
pub(crate) struct Site {
    hny: Running,
    key: String,
}

/// Weak, since a static is never dropped and its program would outlive the tests.
static SHARED: Mutex<Weak<Site>> = Mutex::new(Weak::new());

impl Site {
    /// The program with default settings that tests share, since their links do not get in each other's way. It ends with
    /// the last test that holds it.
    pub(crate) fn shared() -> Arc<Self> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(site) = shared.upgrade() {
            return site;
        }
        let site = Arc::new(Self::start(&program()));
        *shared = Arc::downgrade(&site);
        site
    }

    /// A program of the test's own.
    pub(crate) fn start(program: &Program) -> Self {
        let hny = program.start();
        let made = program.run(["key", "create", "--name", "admin", "--role", "admin"]);
        assert!(made.status.success(), "{made:?}");
        let key = String::from_utf8(made.stdout).expect("a key is text").trim_end().to_owned();
        Self { hny, key }
    }

    /// A program of the test's own that differs in one setting.
    pub(crate) fn with(name: &str, value: &str) -> Self {
        Self::start(&program().env(name, value))
    }

    /// Someone without a key, on a new connection.
    pub(crate) fn visitor(&self) -> Client {
        Client::connect(self.hny.address())
    }

    /// The admin, on a new connection.
    pub(crate) fn admin(&self) -> Caller {
        Caller::new(self.visitor(), &self.key)
    }

    /// Whoever has this key, on a new connection.
    pub(crate) fn holder(&self, key: &str) -> Caller {
        Caller::new(self.visitor(), key)
    }

    /// The admin's key.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }

    /// The running program itself.
    pub(crate) fn hny(&self) -> &Running {
        &self.hny
    }

    /// Stops the program; all that it said.
    pub(crate) fn stop(&mut self) -> String {
        self.hny.terminate();
        assert!(self.hny.wait(DEADLINE).success());
        format!("{}{}", self.hny.stderr(), self.hny.stdout())
    }

    /// Kills the program as a crash would; returns when it is gone.
    pub(crate) fn kill(&mut self) {
        self.hny.kill();
        self.hny.wait(DEADLINE);
    }

    /// What short URLs start with, as long as no base URL is set.
    pub(crate) fn base(&self) -> String {
        self.hny.url("")
    }
}
