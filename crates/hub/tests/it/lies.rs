//! A worker who lies: another one contradicts it, both are named, and the games that count are the right ones.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::event::{Finish, PlayedGame};
use arena::{EndReason, GameRecord};
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use minds::GameEnd;
use saavedra_hub::Work;
use saavedra_hub::message::{ResultMessage, UnitMessage, read, write};
use saavedra_hub::server::Role;

use crate::support::{Lines, TestHub, event, games, games_played_here};

/// Fetches one unit as a worker does, and answers with games that were never played.
async fn lie(hub: &TestHub) {
    let (_, jetstream, _) = hub.client(Role::Worker).await;
    let consumer: PullConsumer = jetstream.get_consumer_from_stream("workers", "SAAVEDRA_WORK").await.expect("units");
    let mut units = consumer.batch().max_messages(1).expires(Duration::from_secs(60)).messages().await.expect("units");
    let message = units.next().await.expect("a unit").expect("a unit");
    let UnitMessage { event, number, attempt, work, .. } = read(&message.payload).expect("a unit");
    let Work::Pair(pair) = work else { panic!("it is a pair") };
    let game = GameRecord {
        start: *pair.opening.start(),
        moves: pair.opening.moves().to_vec(),
        book_plies: pair.opening.moves().len(),
        thoughts: Vec::new(),
        ending: GameEnd::Drawn,
        reason: EndReason::Agreed,
        fault: None,
    };
    let games = pair.legs.iter().map(|&leg| PlayedGame { leg, started: 0, game: game.clone() }).collect();
    let outcome = saavedra_hub::Outcome::Pair(games);
    let result = ResultMessage { event: event.clone(), number, attempt, worker: "liar".to_owned(), outcome };
    let sent = jetstream.publish(format!("saavedra.result.{event}"), write(&result).into()).await.expect("it is sent");
    sent.await.expect("the server has it");
    message.ack().await.expect("it is acknowledged");
}

#[test]
fn a_worker_who_lies_is_contradicted_named_and_counts_for_nothing() {
    let Some(hub) = TestHub::start() else { return };
    let lines = Lines::default();
    // Every unit is checked.
    let mut queue = hub.queue("lies", 1, &lines);
    std::thread::scope(|scope| {
        let playing = scope.spawn(|| {
            let mut event = event(6);
            let finish = event.run_through(&mut queue, &AtomicBool::new(false), &mut ());
            assert_eq!(finish.expect("nothing goes wrong"), Finish::Over);
            games(&mut event)
        });
        // Honest workers are there, so that there is a check; they stand still until the liar has got its unit.
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(announce(&hub, &["one", "other"]));
        runtime.block_on(lie(&hub));
        let _workers = [hub.worker("one"), hub.worker("other")];
        assert_eq!(playing.join().expect("it is played"), games_played_here(6));
    });
    queue.close(true);
    assert!(lines.has("disagree about unit"));
    assert!(lines.has("the worker liar is contradicted about unit"));
}

/// Says that workers are there.
async fn announce(hub: &TestHub, names: &[&str]) {
    use saavedra_hub::message::WorkerStatus;

    let (client, _, _) = hub.client(Role::Worker).await;
    for name in names {
        let status = WorkerStatus {
            name: (*name).to_owned(),
            program: "test".to_owned(),
            cores: 1,
            playing: Vec::new(),
            finished: 0,
            signature: 1,
            speed: 1000,
            engines: Vec::new(),
        };
        client.publish(format!("saavedra.status.worker.{name}"), write(&status).into()).await.expect("it is sent");
    }
    client.flush().await.expect("the server has it");
}
