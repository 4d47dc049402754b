BEGIN TRANSACTION;
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    is_over INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    deleted INTEGER,
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    white_elo INTEGER,
    black_elo INTEGER,
    event TEXT NOT NULL,
    date TEXT NOT NULL,
    year INTEGER,
    result INTEGER NOT NULL,
    eco TEXT,
    opening TEXT,
    plies INTEGER NOT NULL,
    fen TEXT NOT NULL,
    labels TEXT NOT NULL,
    problem TEXT,
    import INTEGER,
    run INTEGER
) STRICT;
CREATE INDEX games_by_time ON games (kind, is_over, updated);
CREATE INDEX games_by_fields ON games (deleted, result, year, eco, kind, is_over);
CREATE INDEX games_by_import ON games (import) WHERE import IS NOT NULL;
CREATE INDEX games_not_indexed ON games (number) WHERE run IS NULL AND is_over = 1;
CREATE TABLE score_sheets (
    game INTEGER PRIMARY KEY,
    start TEXT,
    tags TEXT NOT NULL,
    line BLOB NOT NULL,
    movetext TEXT
) STRICT;
CREATE TABLE played (game INTEGER PRIMARY KEY, state TEXT NOT NULL, last TEXT) STRICT;
CREATE TABLE moves (
    game INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    move TEXT NOT NULL,
    ms INTEGER NOT NULL,
    PRIMARY KEY (game, ply)
) STRICT, WITHOUT ROWID;
CREATE TABLE runs (run INTEGER PRIMARY KEY, is_complete INTEGER NOT NULL) STRICT;
CREATE TABLE positions (
    run INTEGER NOT NULL,
    key INTEGER NOT NULL,
    game INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    move INTEGER NOT NULL,
    result INTEGER NOT NULL,
    PRIMARY KEY (run, key, game, ply)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE names USING fts5(
    white, black, event, opening, labels,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TABLE reviews (
    game INTEGER NOT NULL,
    effort TEXT NOT NULL,
    created INTEGER NOT NULL,
    line BLOB NOT NULL,
    white_accuracy REAL,
    black_accuracy REAL,
    review TEXT NOT NULL,
    pgn TEXT NOT NULL,
    PRIMARY KEY (game, effort)
) STRICT;
CREATE TABLE cards (
    number INTEGER PRIMARY KEY,
    game INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    fen TEXT NOT NULL,
    played TEXT NOT NULL,
    best TEXT NOT NULL,
    theme TEXT,
    reason TEXT,
    created INTEGER NOT NULL,
    due INTEGER NOT NULL,
    answered INTEGER,
    stability REAL,
    difficulty REAL,
    answers INTEGER NOT NULL,
    lapses INTEGER NOT NULL,
    UNIQUE (game, ply)
) STRICT;
CREATE INDEX cards_by_time ON cards (due);
CREATE TABLE practice_days (day INTEGER PRIMARY KEY, answers INTEGER NOT NULL) STRICT;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE unreadable (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
INSERT INTO games VALUES (1, 'pzzuzsa4fmc7', 'played', 1, 2, 1795035184815, 1795035184894, NULL, 'You', 'Saavedra (1100)', NULL, NULL, 'Casual game', '2026.11.18', 2026, 0, 'C20', 'King''s Pawn Game', 2, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2', '[]', NULL, NULL, 0);
INSERT INTO games VALUES (2, 'uq8p9pfrbpp9', 'played', 0, 1, 1795035184898, 1795035184899, NULL, 'You', 'Saavedra (1400)', NULL, NULL, 'Casual game', '2026.11.18', 2026, 3, NULL, NULL, 2, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', '[]', NULL, NULL, NULL);
INSERT INTO games VALUES (3, 'sm9jtz48ps7u', 'imported', 1, 1, 1795035184904, 1795035184904, NULL, 'Anna', 'Bruno', NULL, NULL, '', '2024.05.01', 2024, 2, 'D30', 'Queen''s Gambit Declined', 4, 'rnbqkbnr/ppp2ppp/4p3/3p4/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3', '["mine"]', NULL, NULL, 0);
INSERT INTO score_sheets VALUES (1, NULL, '[["Event","Casual game"],["Site","Saavedra"],["Date","2026.11.18"],["Round","-"],["White","You"],["Black","Saavedra (1100)"],["Termination","white resigned"]]', X'1c03240d', NULL);
INSERT INTO score_sheets VALUES (3, NULL, '[["Event","?"],["Site","?"],["Date","2024.05.01"],["Round","?"],["White","Anna"],["Black","Bruno"]]', X'db02e30c9a022c0d', '1. d4 d5 (1... Nf6 2. c4) 2. c4 {The gambit.} 2... e6 1-0');
INSERT INTO played VALUES (1, '{"id":"pzzuzsa4fmc7","created":1795035184815,"updated":1795035184894,"revision":2,"white":{"kind":"human","name":"You"},"black":{"kind":"mind","mind":"search:elo=1100","name":"Saavedra (1100)"},"chess960":null,"start_fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","time":null,"move_ms":1000,"pause_ms":0,"opening":2,"over":{"result":"0-1","winner":"black","reason":"white resigned"},"seed":7701256228766513451,"fen":"","last":null}', '{"uci":"e7e5","san":"e5"}');
INSERT INTO played VALUES (2, '{"id":"uq8p9pfrbpp9","created":1795035184898,"updated":1795035184899,"revision":1,"white":{"kind":"human","name":"You"},"black":{"kind":"mind","mind":"search:elo=1400","name":"Saavedra (1400)"},"chess960":null,"start_fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","time":{"base_ms":600000,"increment_ms":2000},"move_ms":1000,"pause_ms":0,"opening":2,"over":null,"seed":8736572926757434374,"fen":"","last":null}', '{"uci":"c7c5","san":"c5"}');
INSERT INTO moves VALUES (1, 0, 'e2e4', 0);
INSERT INTO moves VALUES (1, 1, 'e7e5', 0);
INSERT INTO moves VALUES (2, 0, 'e2e4', 0);
INSERT INTO moves VALUES (2, 1, 'c7c5', 0);
INSERT INTO runs VALUES (0, 1);
INSERT INTO positions VALUES (0, -9062197578030825066, 1, 1, 3364, 0);
INSERT INTO positions VALUES (0, -9003054430788464162, 3, 1, 3299, 2);
INSERT INTO positions VALUES (0, -8482806413104302849, 3, 3, 3372, 2);
INSERT INTO positions VALUES (0, -274448325378202451, 3, 4, 0, 2);
INSERT INTO positions VALUES (0, 460664201775194104, 3, 2, 666, 2);
INSERT INTO positions VALUES (0, 595762792459712928, 1, 2, 0, 0);
INSERT INTO positions VALUES (0, 5060803636482931868, 1, 0, 796, 0);
INSERT INTO positions VALUES (0, 5060803636482931868, 3, 0, 731, 2);
INSERT INTO settings VALUES ('page', '{"theme":"dark"}');
INSERT INTO names (rowid, white, black, event, opening, labels)
  SELECT number, white, black, event, COALESCE(eco || ' ' || opening, ''), labels FROM games;
INSERT INTO cards VALUES (1, 1, 0, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 'g2g4', 'e2e4', NULL,
  'allows mate in 1', 1, 2, 1, 3.173, 5.0, 1, 0);
INSERT INTO practice_days VALUES (20000, 1);
COMMIT;
PRAGMA user_version = 2;
