//! What a server may have lost when it was killed while it wrote.

use std::sync::atomic::AtomicBool;

use arena::event::Finish;
use saavedra_hub::server::Role;

use crate::support::{Lines, TestHub, event, games, games_played_here};

#[test]
fn an_event_goes_on_when_the_server_has_forgotten_who_hands_out_its_units() {
    let Some(hub) = TestHub::start() else { return };
    let mut queue = hub.queue("crash", 0, &Lines::default());
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let (_, jetstream, _) = hub.client(Role::Coordinator).await;
        let gone = jetstream.delete_consumer_from_stream("workers", "SAAVEDRA_WORK").await;
        assert!(gone.expect("there is one").success);
    });
    let _worker = hub.worker("patient");
    let mut event = event(3);
    let finish = event.run_through(&mut queue, &AtomicBool::new(false), &mut ()).expect("nothing goes wrong");
    queue.close(true);
    assert_eq!(finish, Finish::Over);
    assert_eq!(games(&mut event), games_played_here(3));
}
