use super::event::parse;
use super::{Strace, read_trace};
use crate::{DEADLINE, Program};
use std::os::unix::process::ExitStatusExt;

const TRACE: &str = r#"7 1700000000.000001 fdatasync(9</tmp/hny.db-wal> <unfinished ...>
8 1700000000.000002 write(5<TCP:[127.0.0.1:1->127.0.0.1:2]>, "a) = 7", 6) = 6
7 1700000000.000003 <... fdatasync resumed>) = 0
8 1700000000.000004 write(5, "HTTP/1.1 201", 12)        = -1 EPIPE (Broken pipe)
8 1700000000.000005 --- SIGPIPE {si_signo=SIGPIPE, si_code=SI_USER} ---
8 1700000000.000006 fdatasync(9)  = ?
7 1700000000.000007 read(4,  <unfinished ...>
8 1700000000.000008 +++ killed by SIGKILL +++
7 1700000000.000009 <... read resumed>"x", 1) = 1
7 1700000000.000010 fsync(3 <unfinished ...>
"#;

#[test]
fn calls_of_several_threads_are_joined_and_ordered() {
    let events = parse(TRACE).expect("the trace is as strace writes it");
    let [sync, early, broken, killed, read, hanging] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!((sync.pid, sync.began, sync.ended), (7, 0, Some(2)));
    assert_eq!(early.arguments, r#"5<TCP:[127.0.0.1:1->127.0.0.1:2]>, "a) = 7", 6"#);
    assert!(!sync.before(early) && sync.before(broken), "{events:?}");
    assert_eq!(broken.result, "-1 EPIPE (Broken pipe)");
    assert_eq!((read.arguments.as_str(), read.result.as_str()), (r#"4, "x", 1"#, "1"));
    let succeeded: Vec<_> = events.iter().filter(|event| event.succeeded()).map(|event| event.began).collect();
    assert_eq!(succeeded, [0, 1, 6], "not {broken:?}, {killed:?}, {hanging:?}");
}

#[test]
fn what_strace_did_not_write_is_shown() {
    assert_eq!(parse("7 1.0 close(3) = 0\nhello\n"), Err("hello"));
    assert_eq!(parse("7 1.0 <... close resumed>) = 0"), Err("7 1.0 <... close resumed>) = 0"));
}

/// A stand-in for the program that writes to files after it listens; the tracer's command comes before the shell's.
fn traced(strace: &Strace, script: &str) -> Program {
    let program = Program::new("/bin/true");
    let mut words = strace.command(&program.folder().join("trace"));
    words.extend(["sh".into(), "-c".into(), format!("echo listening on http://127.0.0.1:1 >&2; {script}").into()]);
    program.under(words)
}

#[test]
fn a_traced_program_is_our_child_and_its_calls_are_there_when_it_ended() {
    let mut running = traced(&Strace::of("write,kill"), "kill -USR1 $$; exec tail -f /dev/null").start();
    assert_eq!(running.wait(DEADLINE).signal(), Some(10));
    let events = read_trace(&running.program().folder().join("trace"));
    assert!(events.iter().any(|event| event.call == "write" && event.arguments.contains("listening on")), "{events:?}");
    assert!(events.iter().any(|event| event.call == "kill" && event.pid == running.pid()), "{events:?}");
}

#[test]
fn a_fault_kills_the_program_at_the_chosen_call() {
    let strace = Strace::of("write").inject("write:signal=SIGKILL:when=3");
    let mut running = traced(&strace, "echo two; echo three; echo four").start();
    assert_eq!(running.wait(DEADLINE).signal(), Some(9));
    assert_eq!(running.stdout(), "two\n");
}
