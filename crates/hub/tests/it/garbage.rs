//! Messages that are none: each is refused with a line, and the event ends as if it had not been sent.

use std::sync::atomic::AtomicBool;

use arena::event::Finish;
use saavedra_hub::server::Role;

use crate::support::{Lines, TestHub, event, event_id, games, games_played_here};

const GARBAGE: [&str; 8] = [
    "",
    "{}",
    "\u{0}\u{1}\u{2}",
    "[[[[[[[[[[[[[[[[",
    r#"{"saavedra-hub":2,"body":{}}"#,
    r#"{"saavedra-hub":1,"body":{"event":"x"}}"#,
    r#"{"saavedra-hub":1,"body":{"event":"00000000000000000000000000000000","number":0,"attempt":1,"worker":"x","outcome":{"pair":[]}}}"#,
    r#"{"saavedra-hub":1,"body":{"name":"x","program":"","cores":99999999999,"playing":[],"finished":0,"signature":0,"speed":0,"engines":[]}}"#,
];

#[test]
fn garbage_on_any_subject_is_refused_with_a_line_and_harms_nothing() {
    let Some(hub) = TestHub::start() else { return };
    let lines = Lines::default();
    let mut queue = hub.queue("garbage", 0, &lines);
    let id = event_id("garbage");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let (client, jetstream, _) = hub.client(Role::Worker).await;
        for text in GARBAGE {
            // As a worker may: results, its own status, and questions for files.
            let sent = jetstream.publish(format!("saavedra.result.{id}"), text.into()).await.expect("it is sent");
            sent.await.expect("the server has it");
            for subject in ["saavedra.status.worker.x".to_owned(), format!("saavedra.file.{id}.x.y")] {
                client.publish(subject, text.into()).await.expect("it is sent");
            }
        }
        // An answer to a unit of the event, but by nonsense.
        let answer = |games: &str| {
            format!(
                r#"{{"saavedra-hub":1,"body":{{"event":"{id}","number":0,"attempt":1,"worker":"liar","outcome":{games}}}}}"#
            )
        };
        for games in [r#"{"pair":[]}"#, r#"{"self-play":"AAAA"}"#] {
            let sent = jetstream.publish(format!("saavedra.result.{id}"), answer(games).into()).await;
            sent.expect("it is sent").await.expect("the server has it");
        }
        client.flush().await.expect("the server has all");
        // Even a coordinator may err.
        let (_, jetstream, _) = hub.client(Role::Coordinator).await;
        for (number, text) in GARBAGE.into_iter().enumerate() {
            let sent = jetstream.publish(format!("saavedra.work.{id}.{}.1", 1000 + number), text.into()).await;
            sent.expect("it is sent").await.expect("the server has it");
        }
    });
    let worker = hub.worker("honest");
    let mut event = event(12);
    let finish = event.run_through(&mut queue, &AtomicBool::new(false), &mut ()).expect("nothing goes wrong");
    queue.close(true);
    assert_eq!(finish, Finish::Over);
    assert_eq!(games(&mut event), games_played_here(12));
    assert!(lines.has("an answer makes no sense: it is no message of a hub"));
    assert!(lines.has("it has version 2, and this program knows version 1"));
    assert!(lines.has("an answer is not of this event"));
    assert!(worker.lines.has("a unit was refused: it is no message of a hub"));
}
