//! A real browser without a window, told what to do by way of the `DevTools` protocol.

use crate::DEADLINE;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Instant;
use tempfile::TempDir;

const MISSING: &str = "chromium is missing: run `cargo xtask test` as root, or `apt-get install chromium`";

/// What it calls itself, as with a window.
const AGENT: &str =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/// Chromium with one page. Its profile is a temporary folder; it ends with this value.
pub struct Chromium {
    browser: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    /// What came while something else was waited for.
    passed_over: Vec<Value>,
    session: Option<String>,
    last_id: u64,
    _profile: TempDir,
}

/// Where a page came to, and what it is.
#[derive(Debug)]
pub struct Arrival {
    /// The address in the address bar.
    pub url: String,
    /// The text of the page.
    pub text: String,
}

impl Chromium {
    /// Starts it with an empty page.
    pub fn start() -> Self {
        let profile =
            TempDir::with_prefix("hny-chromium-").unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let mut browser = command(&profile).spawn().unwrap_or_else(|error| panic!("{MISSING} ({error})"));
        let (Some(input), Some(output)) = (browser.stdin.take(), browser.stdout.take()) else {
            unreachable!("both streams were asked for as pipes");
        };
        let (sender, messages) = channel();
        thread::spawn(move || {
            for message in BufReader::new(output).split(b'\0').map_while(Result::ok) {
                // Nobody listens any more when the browser is dropped.
                let parsed = serde_json::from_slice(&message).unwrap_or_default();
                if sender.send(parsed).is_err() {
                    return;
                }
            }
        });
        let (passed_over, session, last_id) = (Vec::new(), None, 0);
        let mut started = Self { browser, input, messages, passed_over, session, last_id, _profile: profile };
        started.attach();
        started
    }

    fn attach(&mut self) {
        let target = self.call("Target.createTarget", &json!({"url": "about:blank"}));
        let attached = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.call("Target.attachToTarget", &attached)["sessionId"].as_str().map(ToOwned::to_owned);
        self.session = session;
        for domain in ["Page.enable", "Log.enable"] {
            self.call(domain, &json!({}));
        }
    }

    /// Opens `url`, as if it were typed, and waits until the page is loaded.
    pub fn open(&mut self, url: &str) -> Arrival {
        self.passed_over.clear();
        let opened = self.call("Page.navigate", &json!({"url": url}));
        assert_eq!(opened["errorText"], Value::Null, "{url}");
        self.arrival()
    }

    /// Fills in the field of this name, sends its form as its button would, and waits until the next page is loaded.
    pub fn submit(&mut self, field: &str, value: &str) -> Arrival {
        self.passed_over.clear();
        self.evaluate(&format!(
            "(() => {{ const field = document.getElementsByName({})[0]; field.value = {}; field.form.requestSubmit(); }})()",
            json!(field),
            json!(value)
        ));
        self.arrival()
    }

    /// The value of an expression on the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let answer = self.call("Runtime.evaluate", &json!({"expression": expression, "returnByValue": true}));
        assert_eq!(answer["exceptionDetails"], Value::Null, "{expression}");
        answer["result"]["value"].clone()
    }

    fn arrival(&mut self) -> Arrival {
        self.wait("a loaded page", |message| message["method"] == "Page.loadEventFired");
        let text = |value: Value| value.as_str().unwrap_or_default().to_owned();
        Arrival {
            url: text(self.evaluate("location.href")),
            text: text(self.evaluate("document.documentElement.innerText")),
        }
    }

    fn call(&mut self, method: &str, parameters: &Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(b'\0');
        self.input.write_all(&bytes).unwrap_or_else(|error| panic!("chromium takes no message: {error}"));
        let answer = self.wait(method, |message| message["id"] == id);
        assert_eq!(answer["error"], Value::Null, "{method}");
        answer["result"].clone()
    }

    /// The first message that is the one, now or to come.
    fn wait(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(place) = self.passed_over.iter().position(&is_it) {
            return self.passed_over.remove(place);
        }
        let end = Instant::now() + DEADLINE;
        loop {
            match self.messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) if is_it(&message) => return message,
                Ok(message) => self.passed_over.push(message),
                Err(RecvTimeoutError::Disconnected) => panic!("{MISSING} (it ended while {what} was waited for)"),
                Err(RecvTimeoutError::Timeout) => {
                    panic!("chromium says nothing of {what}, but {:#?}", self.passed_over)
                }
            }
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Its other processes end when they lose it.
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}

/// It reads messages from descriptor 3 and writes to 4, which the shell makes of its own input and output.
fn command(profile: &TempDir) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "exec chromium \"$@\" 3<&0 4>&1 >&2", "chromium"]);
    command.args(["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu"]);
    // Root has no sandbox, and containers little shared memory.
    command.args(["--no-sandbox", "--disable-dev-shm-usage"]);
    // Without a window it would call itself by another name, and be taken for a robot.
    command.arg(format!("--user-agent={AGENT}"));
    // It talks to nobody but whom the test names.
    command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    command.arg(format!("--user-data-dir={}", profile.path().display())).arg("about:blank");
    command.env("HOME", profile.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_opened_and_can_be_asked() {
        let mut chromium = Chromium::start();
        let page = chromium.open("data:text/html,<title>there</title><p>Hello</p>");
        assert_eq!((page.text.as_str(), chromium.evaluate("document.title")), ("Hello", json!("there")));
    }

    #[test]
    fn a_form_is_sent() {
        let mut chromium = Chromium::start();
        chromium.open("data:text/html,<form action='about:blank'><input name=a></form>");
        assert_eq!(chromium.submit("a", "1").url, "about:blank?a=1");
    }
}
