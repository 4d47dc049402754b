//! The page that explains the commands.

/// What is told of a command.
struct Page {
    name: &'static str,
    usage: &'static str,
    summary: &'static str,
    details: &'static str,
}

const PAGES: [Page; 18] = [
    Page {
        name: "position",
        usage: "position startpos|fen FEN [moves M1 M2 ...]",
        summary: "set up a position",
        details: "Moves are the squares left and reached: e2e4, e7e8q. Castling is e1g1, or e1h1 in Chess960.\n\
                  Example: position startpos moves e2e4 e7e5",
    },
    Page {
        name: "go",
        usage: "go [depth N] [nodes N] [movetime MS] [wtime MS btime MS winc MS binc MS movestogo N] ...",
        summary: "search the position; the answer is a line bestmove ...",
        details: "Limits may be combined, the first to be reached ends the search. Without one it goes on until stop.\n\
                  Also: mate N, searchmoves M1 M2 ..., infinite, ponder. go perft N counts instead, and has no bestmove.\n\
                  Example: go movetime 1000",
    },
    Page { name: "stop", usage: "stop", summary: "end the search and answer", details: "" },
    Page {
        name: "d",
        usage: "d",
        summary: "draw the board",
        details: "Capital letters are White's pieces. The FEN below the board sets the position up again.",
    },
    Page {
        name: "eval",
        usage: "eval",
        summary: "judge the position without looking ahead",
        details: "Below each piece stands what it adds: how much would be lost if it were not there.\n\
                  Everything is in pawns and good for White if it is positive.",
    },
    Page {
        name: "see",
        usage: "see MOVE",
        summary: "what a move wins by captures on its square",
        details: "The move may be written as d3e5 or Nxe5. Both players stop capturing when it no longer pays.",
    },
    Page {
        name: "perft",
        usage: "perft N",
        summary: "count the positions after N plies, below each move",
        details: "The test of every move generator: from the start position, perft 5 gives 4865609. stop ends it.",
    },
    Page {
        name: "bench",
        usage: "bench [N]",
        summary: "search a fixed set of positions to depth N and count the nodes",
        details: "The number of nodes is the signature of the search: the same on every machine.",
    },
    Page { name: "flip", usage: "flip", summary: "let the players change colors", details: "" },
    Page {
        name: "setoption",
        usage: "setoption name NAME [value VALUE]",
        summary: "change an option; uci lists them",
        details: "Letter case does not matter.\nExample: setoption name Hash value 256",
    },
    Page { name: "uci", usage: "uci", summary: "who this is, and its options", details: "" },
    Page { name: "isready", usage: "isready", summary: "answers readyok once everything before is done", details: "" },
    Page { name: "ucinewgame", usage: "ucinewgame", summary: "forget the last game", details: "" },
    Page {
        name: "ponderhit",
        usage: "ponderhit",
        summary: "the opponent played the move that go ponder expected",
        details: "The search goes on, now on our own clock.",
    },
    Page { name: "debug", usage: "debug on|off", summary: "say how each command was understood", details: "" },
    Page {
        name: "register",
        usage: "register ...",
        summary: "does nothing: there is nothing to register",
        details: "",
    },
    Page { name: "help", usage: "help [COMMAND]", summary: "this page, or more about a command", details: "" },
    Page { name: "quit", usage: "quit", summary: "leave", details: "" },
];

/// The page about everything, or about one command.
pub(crate) fn page(topic: Option<&str>) -> String {
    let Some(topic) = topic else {
        let width = PAGES.iter().map(|page| page.name.len()).max().unwrap_or_default();
        let rows: Vec<String> = PAGES.iter().map(|page| format!("  {:width$}  {}", page.name, page.summary)).collect();
        return format!(
            "This is a chess engine. It speaks UCI, the language of chess programs, one command a line:\n{}\n\
             Try: position startpos moves e2e4, then go movetime 1000. help go tells more about go.",
            rows.join("\n")
        );
    };
    match PAGES.iter().find(|page| page.name == topic) {
        Some(Page { usage, summary, details: "", .. }) => format!("{usage}\n  {summary}"),
        Some(Page { usage, summary, details, .. }) => {
            format!("{usage}\n  {summary}\n  {}", details.replace('\n', "\n  "))
        }
        None => {
            let suggestion = uci::suggest(topic, PAGES.iter().map(|page| page.name));
            let meant = suggestion.map_or(String::new(), |name| format!(" Did you mean {name}?"));
            format!("There is no command {topic:?}.{meant} help lists them all.")
        }
    }
}

/// What a person at a terminal sees first.
pub(crate) fn greeting(name: &str) -> String {
    format!(
        "{name}, a chess engine. It waits for UCI commands, as chess programs send them.\n\
         help explains them, quit leaves. To play on a board in this terminal, start saavedra play.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_explained() {
        for name in uci::Command::NAMES {
            assert!(page(Some(name)).starts_with(name), "{name}");
            assert!(page(None).contains(&format!("\n  {name} ")), "{name}");
        }
        assert_eq!(page(Some("stpo")), "There is no command \"stpo\". Did you mean stop? help lists them all.");
    }
}
