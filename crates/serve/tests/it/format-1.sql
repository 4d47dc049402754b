BEGIN TRANSACTION;
CREATE TABLE games (
        id TEXT PRIMARY KEY,
        updated INTEGER NOT NULL,
        is_over INTEGER NOT NULL,
        record TEXT NOT NULL
    ) STRICT;
INSERT INTO "games" VALUES('whrsif2qc8zw',1794973831145,1,'{"id":"whrsif2qc8zw","created":1794973830859,"updated":1794973831145,"revision":5,"white":{"kind":"human","name":"Ada"},"black":{"kind":"human","name":"Bea"},"chess960":null,"start_fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","time":null,"move_ms":1000,"pause_ms":0,"opening":0,"moves":[{"uci":"f2f3","ms":0},{"uci":"e7e5","ms":51},{"uci":"g2g4","ms":20},{"uci":"d8h4","ms":23}],"over":{"result":"0-1","winner":"black","reason":"checkmate"},"seed":7637761906754741800,"fen":"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3","last":{"uci":"d8h4","san":"Qh4#"}}');
INSERT INTO "games" VALUES('tx5sefuf6rkj',1794973832425,0,'{"id":"tx5sefuf6rkj","created":1794973831177,"updated":1794973832425,"revision":5,"white":{"kind":"human","name":"Ada"},"black":{"kind":"mind","mind":"alphabeta:depth=1","name":"Alpha-beta (depth=1)"},"chess960":null,"start_fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","time":{"base_ms":600000,"increment_ms":1000},"move_ms":1000,"pause_ms":0,"opening":0,"moves":[{"uci":"e2e4","ms":0},{"uci":"b8c6","ms":0},{"uci":"g1f3","ms":1020},{"uci":"g8f6","ms":0}],"over":null,"seed":6705535785010330982,"fen":"r1bqkb1r/pppppppp/2n2n2/8/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 3 3","last":{"uci":"g8f6","san":"Nf6"}}');
INSERT INTO "games" VALUES('xurq7meauinr',1794973834539,1,'{"id":"xurq7meauinr","created":1794973833478,"updated":1794973834539,"revision":4,"white":{"kind":"human","name":"Ada"},"black":{"kind":"mind","mind":"random:seed=3","name":"Random (seed=3)"},"chess960":null,"start_fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","time":null,"move_ms":1000,"pause_ms":0,"opening":0,"moves":[{"uci":"e2e4","ms":0},{"uci":"e8d7","ms":0}],"over":{"result":"0-1","winner":"black","reason":"white resigned"},"seed":5248014834817139997,"fen":"8/3k4/8/8/4P3/8/8/4K3 w - - 1 2","last":{"uci":"e8d7","san":"Kd7"}}');
INSERT INTO "games" VALUES('kchceyghrhs6',1794973835073,0,'{"id":"kchceyghrhs6","created":1794973834586,"updated":1794973835073,"revision":2,"white":{"kind":"human","name":"Ada"},"black":{"kind":"human","name":"Zoë"},"chess960":3,"start_fen":"bqnnrkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNNRKRB w KQkq - 0 1","time":null,"move_ms":1000,"pause_ms":0,"opening":1,"moves":[{"uci":"e2e4","ms":0},{"uci":"e7e5","ms":0}],"over":null,"seed":18056330756064504326,"fen":"bqnnrkrb/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/BQNNRKRB w KQkq - 0 2","last":{"uci":"e7e5","san":"e5"}}');
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
INSERT INTO "settings" VALUES('page','{"theme":"dark"}');
CREATE INDEX games_by_time ON games (is_over, updated);
COMMIT;
PRAGMA user_version = 1;
