// Why the server refuses something, in German and Spanish. A test finds every English sentence in the server's sources.

import { translator } from "../translate";

/** Why something was refused, in the language of the page. */
export const told = translator([
  ["white", "Weiß", "Blancas"],
  ["black", "Schwarz", "Negras"],
  ["king side", "Königsflügel", "flanco de rey"],
  ["queen side", "Damenflügel", "flanco de dama"],

  // Moves.
  [
    "{} is not a move: expected something like Nf3, exd5 or O-O",
    "{} ist kein Zug: erwartet wird etwas wie Nf3, exd5 oder O-O",
    "{} no es una jugada: se espera algo como Nf3, exd5 u O-O",
  ],
  [
    "{} is not a UCI move: expected something like e2e4 or e7e8q",
    "{} ist kein Zug in UCI-Schreibweise: erwartet wird etwas wie e2e4 oder e7e8q",
    "{} no es una jugada UCI: se espera algo como e2e4 o e7e8q",
  ],
  ["{} is not a legal move here", "{} ist hier kein erlaubter Zug", "{} no es una jugada legal aquí"],
  ["{} is ambiguous: {}", "{} ist mehrdeutig: {}", "{} es ambigua: {}"],
  ["move {}: {}", "Zug {}: {}", "jugada {}: {}"],
  ["a move has at most {} letters", "ein Zug hat höchstens {} Zeichen", "una jugada tiene como máximo {} letras"],
  [
    "a game has at most {} moves here",
    "eine Partie hat hier höchstens {} Züge",
    "aquí una partida tiene como máximo {} jugadas",
  ],

  // Positions.
  [
    "a FEN has four to six parts with single spaces between them, this one has {}",
    "eine FEN hat vier bis sechs Teile mit je einem Leerzeichen dazwischen, diese hat {}",
    "un FEN tiene de cuatro a seis partes separadas por un espacio, este tiene {}",
  ],
  [
    "a FEN has eight ranks with slashes between them, this one has {}",
    "eine FEN hat acht Reihen mit Schrägstrichen dazwischen, diese hat {}",
    "un FEN tiene ocho filas separadas por barras, este tiene {}",
  ],
  [
    "rank {} of the FEN has {} squares instead of eight",
    "Reihe {} der FEN hat {} statt acht Felder",
    "la fila {} del FEN tiene {} casillas en lugar de ocho",
  ],
  [
    "rank {} of the FEN cannot be read at {}",
    "Reihe {} der FEN ist bei {} nicht lesbar",
    "la fila {} del FEN no se puede leer en {}",
  ],
  [
    "the side to move of the FEN is {}: expected w or b",
    "am Zug ist in der FEN {}: erwartet wird w oder b",
    "el turno del FEN es {}: se espera w o b",
  ],
  [
    "the castling rights of the FEN are {}: expected - or letters like KQkq, none twice",
    "die Rochaderechte der FEN sind {}: erwartet wird - oder Buchstaben wie KQkq, keiner doppelt",
    "los derechos de enroque del FEN son {}: se espera - o letras como KQkq, ninguna repetida",
  ],
  [
    "the en passant square of the FEN is {}: expected - or a square like e3",
    "das En-passant-Feld der FEN ist {}: erwartet wird - oder ein Feld wie e3",
    "la casilla al paso del FEN es {}: se espera - o una casilla como e3",
  ],
  [
    "the half-move clock of the FEN is {}: expected a number up to {}",
    "der Halbzugzähler der FEN ist {}: erwartet wird eine Zahl bis {}",
    "el contador de medias jugadas del FEN es {}: se espera un número hasta {}",
  ],
  [
    "the move number of the FEN is {}: expected a number up to {}",
    "die Zugnummer der FEN ist {}: erwartet wird eine Zahl bis {}",
    "el número de jugada del FEN es {}: se espera un número hasta {}",
  ],
  ["a FEN has at most {} letters", "eine FEN hat höchstens {} Zeichen", "una FEN tiene como máximo {} letras"],
  ["illegal position: {}", "unmögliche Stellung: {}", "posición ilegal: {}"],
  ["{} has no king", "{} hat keinen König", "{}: falta el rey"],
  ["{} has several kings", "{} hat mehrere Könige", "{}: hay varios reyes"],
  [
    "the side not to move is in check",
    "die Seite, die nicht am Zug ist, steht im Schach",
    "el bando al que no le toca jugar está en jaque",
  ],
  ["a pawn stands on {}", "ein Bauer steht auf {}", "hay un peón en {}"],
  [
    "{} has more pieces than promotions can explain",
    "{} hat mehr Figuren, als Umwandlungen erklären können",
    "{}: hay más piezas de las que explican las coronaciones",
  ],
  [
    "{} may not castle with {}: there is no {} rook",
    "{} darf nicht mit {} rochieren: Dort steht kein Turm von {}",
    "{}: no puede enrocar con {}, no hay torre ({})",
  ],
  [
    "{} may not castle: the king is not on its back rank",
    "{} darf nicht rochieren: Der König steht nicht auf der Grundreihe",
    "{}: no puede enrocar, el rey no está en su primera fila",
  ],
  [
    "{} cannot have the right to castle with two rooks on the {}",
    "{} kann nicht mit zwei Türmen rochieren dürfen: {}",
    "{}: no puede tener el enroque con dos torres en el {}",
  ],
  [
    "there is no castling with {}: it is not on a back rank",
    "mit {} gibt es keine Rochade: Das Feld liegt nicht auf einer Grundreihe",
    "no hay enroque con {}: no está en la primera fila",
  ],
  [
    "en passant on {} is impossible: no pawn can just have passed it",
    "en passant auf {} ist unmöglich: Kein Bauer kann es gerade übersprungen haben",
    "al paso en {} es imposible: ningún peón puede haberla pasado",
  ],
  [
    "no move can have led to this check by {}",
    "kein Zug kann zu diesem Schach durch {} geführt haben",
    "ninguna jugada puede haber llevado a este jaque de {}",
  ],
  [
    "there is no Chess960 position {}: the numbers are 0 to 959",
    "es gibt keine Chess960-Stellung {}: Die Nummern gehen von 0 bis 959",
    "no hay posición {} de Chess960: los números van de 0 a 959",
  ],

  // Games in progress.
  ["the game is over: {}", "die Partie ist zu Ende: {}", "la partida terminó: {}"],
  ["the game is over", "die Partie ist zu Ende", "la partida terminó"],
  ["the game is already over: {}", "die Partie ist schon zu Ende: {}", "la partida ya terminó: {}"],
  ["{} wins by checkmate", "{} gewinnt durch Matt", "ganan {} por jaque mate"],
  ["draw by {}", "Remis: {}", "tablas: {}"],
  ["stalemate", "Patt", "ahogado"],
  ["insufficient material", "ungenügendes Material", "material insuficiente"],
  ["it is {}'s turn", "{} ist am Zug", "juega {}"],
  ["{} cannot go on", "{} kann nicht weiterspielen", "{} no puede seguir"],
  ["there is nothing to take back", "es gibt nichts zurückzunehmen", "no hay nada que deshacer"],
  ["the game has {} moves by now", "die Partie hat inzwischen {} Züge", "la partida ya tiene {} jugadas"],
  [
    "this game is played without take-backs",
    "diese Partie wird ohne Zurücknehmen gespielt",
    "esta partida se juega sin deshacer jugadas",
  ],
  ["this game is played without hints", "diese Partie wird ohne Tipps gespielt", "esta partida se juega sin pistas"],
  ["no engine is thinking", "gerade rechnet keine Engine", "ningún motor está pensando"],
  ["the game is in progress", "die Partie läuft noch", "la partida está en curso"],
  ["the game was deleted", "die Partie wurde gelöscht", "la partida fue borrada"],
  ["there is no such game", "diese Partie gibt es nicht", "esta partida no existe"],
  [
    "moves: the main line of a game that was played stays as it was",
    "die Züge einer gespielten Partie bleiben, wie sie waren",
    "las jugadas de una partida jugada quedan como fueron",
  ],
  [
    "{} games are in progress: end one first",
    "{} Partien laufen schon: Beende zuerst eine",
    "hay {} partidas en curso: termina una primero",
  ],
  [
    "{} games are stored: delete some first",
    "{} Partien sind gespeichert: Lösche zuerst einige",
    "hay {} partidas guardadas: borra algunas primero",
  ],
  ["{} did not start: {}", "{} ist nicht gestartet: {}", "{} no arrancó: {}"],
  ["{} left the game: {}", "{} hat die Partie verlassen: {}", "{} dejó la partida: {}"],

  // The library.
  [
    "q: {} is not a result: expected 1-0, 0-1, draw or *",
    "{} ist kein Ergebnis: erwartet wird 1-0, 0-1, draw oder *",
    "{} no es un resultado: se espera 1-0, 0-1, draw o *",
  ],
  [
    "q: {} is not a year: expected 1997 or 1990-1999",
    "{} ist kein Jahr: erwartet wird 1997 oder 1990-1999",
    "{} no es un año: se espera 1997 o 1990-1999",
  ],
  [
    "q: {} is not a code of an opening: expected B90, B9 or B",
    "{} ist kein Eröffnungsschlüssel: erwartet wird B90, B9 oder B",
    "{} no es un código de apertura: se espera B90, B9 o B",
  ],
  [
    "q: {} is not a kind of game: expected played, imported or analysis",
    "{} ist keine Art von Partie: erwartet wird played, imported oder analysis",
    "{} no es un tipo de partida: se espera played, imported o analysis",
  ],
  [
    "q: there is no filter {}: expected {}",
    "den Filter {} gibt es nicht: erwartet wird {}",
    "no hay filtro {}: se espera {}",
  ],
  [
    "q: a search has at most {} words",
    "eine Suche hat höchstens {} Wörter",
    "una búsqueda tiene como máximo {} palabras",
  ],
  [
    "labels: a label has 1 to {} letters",
    "ein Schlagwort hat 1 bis {} Buchstaben",
    "una etiqueta tiene de 1 a {} letras",
  ],
  [
    "labels: a game has at most {} labels",
    "eine Partie hat höchstens {} Schlagwörter",
    "una partida tiene como máximo {} etiquetas",
  ],
  ["there is no game in the file", "in der Datei ist keine Partie", "no hay ninguna partida en el archivo"],
  ["there is no game in the text", "im Text ist keine Partie", "no hay ninguna partida en el texto"],
  [
    "there are more than {} games in the text",
    "im Text sind mehr als {} Partien",
    "hay más de {} partidas en el texto",
  ],
  [
    "the file ends inside a comment or a variation",
    "die Datei endet mitten in einem Kommentar oder einer Variante",
    "el archivo termina dentro de un comentario o una variante",
  ],
  [
    "{} is no move: players may not pass",
    "{} ist kein Zug: Passen darf man nicht",
    "{} no es una jugada: no se puede pasar",
  ],
  ["the tag FEN is {}: {}", "das Feld FEN ist {}: {}", "la etiqueta FEN es {}: {}"],
  [
    "{} is a variant that we do not play",
    "{} ist eine Variante, die es hier nicht gibt",
    "{} es una variante que aquí no se juega",
  ],
  [
    "a comment or word is too long",
    "ein Kommentar oder Wort ist zu lang",
    "un comentario o una palabra es demasiado larga",
  ],
  ["the import failed", "der Import ist gescheitert", "la importación falló"],
  ["there is no such card", "diese Karte gibt es nicht", "esta tarjeta no existe"],
  ["the game was not reviewed yet", "die Partie wurde noch nicht durchgesehen", "la partida aún no se ha revisado"],

  // Limits, and what is wrong with the server.
  ["{} is {}: expected {} to {}", "{} ist {}: erwartet wird {} bis {}", "{} es {}: se espera de {} a {}"],
  ["{} analyses are in progress", "{} Analysen laufen schon", "hay {} análisis en curso"],
  ["{} reviews are in progress", "{} Rückblicke laufen schon", "hay {} revisiones en curso"],
  [
    "{} imports are in progress: try again",
    "{} Importe laufen schon: Versuche es noch einmal",
    "hay {} importaciones en curso: inténtalo de nuevo",
  ],
  [
    "{} requests are being computed: try again",
    "{} Anfragen werden gerade bearbeitet: Versuche es noch einmal",
    "hay {} peticiones en proceso: inténtalo de nuevo",
  ],
  [
    "hash: other analyses take the memory, ask for less",
    "andere Analysen belegen den Speicher: Nimm weniger Hash",
    "otros análisis ocupan la memoria: pide menos hash",
  ],
  [
    "too many outside engines are at work: try again",
    "zu viele fremde Engines arbeiten gerade: Versuche es noch einmal",
    "hay demasiados motores externos trabajando: inténtalo de nuevo",
  ],
  ["there is no engine {}", "die Engine {} gibt es nicht", "el motor {} no existe"],
  [
    "the server does not start outside programs",
    "der Server startet keine fremden Programme",
    "el servidor no arranca programas externos",
  ],
  [
    "there are {} WebSockets: close one first",
    "{} Fenster sind offen: Schließe zuerst eines",
    "hay {} ventanas abiertas: cierra una",
  ],
  ["the server is shutting down", "der Server wird beendet", "el servidor se está cerrando"],
  ["the server cannot start a thread", "der Server ist überlastet", "el servidor está sobrecargado"],
  ["the database failed: {}", "die Datenbank meldet einen Fehler: {}", "la base de datos falló: {}"],
  ["too many messages", "zu viele Nachrichten", "demasiados mensajes"],
  [
    "this server requires a token: open /?token=…",
    "dieser Server verlangt einen Schlüssel: Öffne /?token=…",
    "este servidor pide una clave: abre /?token=…",
  ],

  // Where a message is about a part of the request, and where there are several.
  ["fen: {}", "{}", "{}"],
  ["pgn: {}", "{}", "{}"],
  ["game {}, line {}: {}", "Partie {}, Zeile {}: {}", "partida {}, línea {}: {}"],
  ["{}; {}", "{}; {}", "{}; {}"],
]);
