//! What each key may do, and what the server refuses.

use async_nats::ConnectOptions;
use futures_util::StreamExt;
use saavedra_hub::server::Role;

use crate::support::{Lines, TestHub, event_id, wait_until};

/// Waits until the server has said that something may not be done.
fn wait_for_refusal(lines: &Lines, of: &str, subject: &str) {
    let line = format!("Permissions Violation for {of} to \"{subject}");
    wait_until(&line, || lines.has(&line));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_cannot_give_out_work_see_results_or_overhear_others() {
    let Some(hub) = TestHub::start() else { return };
    let queue = tokio::task::block_in_place(|| hub.queue("an event", 0, &Lines::default()));
    let (client, _, lines) = hub.client(Role::Worker).await;
    let event = event_id("an event");
    for subject in [
        format!("saavedra.work.{event}.0.1"),
        "saavedra.status.event.x".to_owned(),
        "$JS.API.STREAM.MSG.GET.SAAVEDRA_RESULTS".to_owned(),
        "$JS.API.STREAM.MSG.GET.SAAVEDRA_WORK".to_owned(),
        "$JS.API.CONSUMER.CREATE.SAAVEDRA_RESULTS".to_owned(),
        format!("$JS.API.CONSUMER.MSG.NEXT.SAAVEDRA_RESULTS.results-{event}"),
        "$JS.API.STREAM.PURGE.SAAVEDRA_WORK".to_owned(),
        "$JS.API.STREAM.DELETE.SAAVEDRA_WORK".to_owned(),
        "$JS.API.STREAM.LIST".to_owned(),
    ] {
        client.publish(subject.clone(), "{}".into()).await.expect("it is sent");
        wait_for_refusal(&lines, "Publish", &subject);
    }
    for subject in ["saavedra.result.>", "saavedra.work.>", "saavedra.file.>", "saavedra.status.>", "_INBOX.>", ">"] {
        let _subscription = client.subscribe(subject).await.expect("it is sent");
        wait_for_refusal(&lines, "Subscription", subject);
    }
    tokio::task::block_in_place(|| queue.close(true));
    let (_, jetstream, _) = hub.client(Role::Coordinator).await;
    let mut work = jetstream.get_stream("SAAVEDRA_WORK").await.expect("a stream");
    assert_eq!(work.info().await.expect("it answers").state.messages, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_only_looks_on() {
    let Some(hub) = TestHub::start() else { return };
    let (client, _, lines) = hub.client(Role::Viewer).await;
    for subject in ["saavedra.work.x", "saavedra.result.x", "saavedra.status.worker.x", "$JS.API.INFO", "x"] {
        client.publish(subject, "{}".into()).await.expect("it is sent");
        wait_for_refusal(&lines, "Publish", subject);
    }
    for subject in ["saavedra.work.>", "saavedra.result.>", "_INBOX.>"] {
        let _subscription = client.subscribe(subject).await.expect("it is sent");
        wait_for_refusal(&lines, "Subscription", subject);
    }
    let mut statuses = client.subscribe("saavedra.status.>").await.expect("a subscription");
    client.flush().await.expect("the server has it");
    let (worker, _, _) = hub.client(Role::Worker).await;
    worker.publish("saavedra.status.worker.x", "hello".into()).await.expect("it is sent");
    assert_eq!(statuses.next().await.expect("a message").payload, "hello");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_key_there_is_no_entry() {
    let Some(hub) = TestHub::start() else { return };
    let refused = ConnectOptions::new().connect(hub.url()).await.expect_err("there is no key");
    assert!(refused.to_string().contains("authorization"), "{refused}");
    let stranger = nkeys::KeyPair::new_user().seed().expect("a key");
    let refused = ConnectOptions::with_nkey(stranger).connect(hub.url()).await.expect_err("the key is unknown");
    assert!(refused.to_string().contains("authorization"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_handed_out_for_the_event_that_needs_it_and_for_no_other() {
    use arena::event::PairUnit;
    use minds::EvaluationSpec;
    use saavedra_hub::{Card, HubQueue, Luggage, Options};

    let Some(hub) = TestHub::start() else { return };
    let net = hub.folder.path().join("net");
    std::fs::write(&net, "not a network, but a file").expect("a file");
    let luggage = Luggage::of_net(Some(&EvaluationSpec::File(net.display().to_string()))).expect("a file");
    let open = |name: &str, luggage: Luggage| -> HubQueue<PairUnit> {
        let card = Card { event: event_id(name), command: "match".to_owned(), name: name.to_owned(), goes_on: false };
        let options = Options { ack_wait: Options::ACK_WAIT, reference: crate::support::REFERENCE, spot_check: 0 };
        let coordinator = hub.hub(Role::Coordinator);
        HubQueue::open(&coordinator, card, luggage, options, Lines::default().notice()).expect("a queue")
    };
    let (one, other) = tokio::task::block_in_place(|| (open("one", luggage), open("other", Luggage::default())));
    let (client, _, _) = hub.client(Role::Worker).await;
    let checksum = sha256_of("not a network, but a file");
    let mut answers = Vec::new();
    for (name, checksum) in [("one", &checksum), ("other", &checksum), ("one", &"0".repeat(64))] {
        let subject = format!("saavedra.file.{}.{checksum}.0", event_id(name));
        // The queue may not listen yet.
        let answer = loop {
            match client.request(subject.clone(), "".into()).await {
                Ok(answer) => break answer,
                Err(_) => tokio::task::yield_now().await,
            }
        };
        answers.push(answer.payload.len());
    }
    assert_eq!(answers, [8 + "not a network, but a file".len(), 0, 0]);
    tokio::task::block_in_place(|| {
        one.close(true);
        other.close(true);
    });
}

fn sha256_of(text: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
