//! Reviews that are kept, and their mistakes as cards.

use crate::common::{Client, Socket, human, id};
use crate::test_server::TestServer;
use serde_json::{Value, json};

/// Reviews a stored game. Returns a new client: the server closes a connection that is not used for long.
fn review(host: &TestServer, game: &Value) -> Client {
    let mut socket = Socket::new(host.address);
    socket.send(&json!({"type": "review", "id": "r", "game": game["id"], "effort": "quick"}));
    socket.receive_until(|message| message["type"] == "review");
    Client::new(host.address)
}

/// A game between two people that ends in the fool's mate, reviewed.
fn reviewed_game(host: &TestServer) -> (Client, Value) {
    let mut client = Client::new(host.address);
    let game = client.good("/api/games", &json!({"white": human("Ada"), "black": human("Bea")}));
    for mv in ["f3", "e5", "g4", "Qh4"] {
        client.good(&format!("/api/games/{}/move", id(&game)), &json!({"move": mv}));
    }
    (review(host, &game), game)
}

#[test]
fn a_review_is_made_once_and_read_again() {
    let host = TestServer::new();
    let (mut client, game) = reviewed_game(&host);
    let path = format!("/api/library/{}", id(&game));
    let kept = client.get(&format!("{path}/review")).json();
    assert_eq!((&kept["effort"], &kept["current"]), (&json!("quick"), &json!(true)));
    assert_eq!(kept["review"]["moves"].as_array().map(Vec::len), Some(4));
    // Lines are broken where they are full.
    let pgn = kept["pgn"].as_str().unwrap_or_default().replace('\n', " ");
    assert!(pgn.contains("2. g4 $4"), "{kept}");
    assert_eq!(client.get(&format!("{path}/review?effort=deep")).code(), "not_found");
    assert_eq!(client.get(&path).json()["reviews"], json!(["quick"]));
    let listed = client.get("/api/library").json();
    assert!(listed["games"][0]["accuracy"]["black"].as_f64().is_some_and(|accuracy| accuracy > 50.0), "{listed}");
}

#[test]
fn the_review_of_an_analysis_is_old_when_its_moves_change() {
    let host = TestServer::new();
    let game = Client::new(host.address).good("/api/library", &json!({"moves": ["e4", "e5"]}));
    let mut client = review(&host, &game);
    let path = format!("/api/library/{}", id(&game));
    assert_eq!(client.put(&path, &json!({"revision": 1, "moves": ["e4", "e5", "Nf3"]})).status, 200);
    assert_eq!(client.get(&format!("{path}/review")).json()["current"], false);
    assert_eq!(client.get("/api/practice").json()["total"], 0, "which player practises is not known");
}

#[test]
fn mistakes_become_cards_that_are_asked_later_the_better_they_are_known() {
    let host = TestServer::new();
    let (mut client, game) = reviewed_game(&host);
    let practice = client.get("/api/practice").json();
    assert_eq!((&practice["due"], &practice["streak"]), (&practice["total"], &json!(0)));
    let cards = practice["cards"].as_array().expect("cards");
    let card = cards.iter().find(|card| card["ply"] == 2).expect("a card for 2. g4");
    assert_eq!((&card["game"], &card["played"]["san"], &card["turn"]), (&game["id"], &json!("g4"), &json!("white")));
    assert!(card["label"].as_str().is_some_and(|label| label.starts_with("Ada – Bea, ")), "{card}");
    assert!(card["reason"].as_str().is_some_and(|reason| reason.contains("mate")), "{card}");
    // Of one theme alone.
    let themes = practice["themes"].as_array().expect("themes");
    let due = |theme: &Value| theme["due"].as_u64().unwrap_or_default();
    assert_eq!(Some(themes.iter().map(due).sum()), practice["due"].as_u64());
    for theme in themes {
        let name = theme["theme"].as_str().expect("a name");
        let some = client.get(&format!("/api/practice?theme={name}")).json();
        let cards = some["cards"].as_array().expect("cards");
        assert_eq!(cards.len() as u64, due(theme), "{some}");
        assert!(cards.iter().all(|card| card["theme"] == name), "{some}");
    }
    assert_eq!(client.get("/api/practice?theme=none").json()["cards"], json!([]));
    assert_eq!(client.get("/api/home").json()["due"], practice["due"]);
    let path = format!("/api/practice/{}", card["id"].as_str().expect("an id"));
    let again = client.good(&path, &json!({"grade": "again"}));
    let good = client.good(&path, &json!({"grade": "good"}));
    assert_eq!((&good["answers"], &good["lapses"]), (&json!(2), &json!(0)), "the first answer is no lapse");
    assert!(card["due"].as_str() < again["due"].as_str() && again["due"].as_str() < good["due"].as_str(), "{good}");
    let later = client.get("/api/practice").json();
    assert_eq!((later["due"].as_u64(), &later["streak"]), (practice["due"].as_u64().map(|due| due - 1), &json!(1)));
    let table = client.get("/api/practice/export").body;
    assert!(table.contains("\tWhite to move. g4 was a mistake.\t"), "{table}");
    assert_eq!(client.good(&format!("/api/library/{}/cards", id(&game)), &json!({"side": "white"}))["cards"], 0);
    assert_eq!(client.delete(&path).status, 204);
    assert_eq!(client.delete(&path).code(), "not_found");
    assert_eq!(client.post(&path, &json!({"grade": "perfect"})).code(), "bad_request");
}
