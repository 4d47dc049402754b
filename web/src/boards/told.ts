// What the boards say of themselves, in the language of the page. The server says it in English; here are the other
// languages, sentence by sentence. What is not known is shown as it comes.

/** A sentence in English, German and Spanish. `{}` stands for what is carried over, translated itself if it can be. */
type Sentence = readonly [en: string, de: string, es: string];

const SENTENCES: readonly Sentence[] = [
  // Pieces, sides and small words.
  ["pawn", "Bauer", "peón"],
  ["knight", "Springer", "caballo"],
  ["bishop", "Läufer", "alfil"],
  ["rook", "Turm", "torre"],
  ["queen", "Dame", "dama"],
  ["king", "König", "rey"],
  ["white", "Weiß", "blancas"],
  ["black", "Schwarz", "negras"],
  ["White", "Weiß", "Blancas"],
  ["Black", "Schwarz", "Negras"],
  ["white {}", "{}, weiß", "{}, blancas"],
  ["black {}", "{}, schwarz", "{}, negras"],
  ["White {}", "{}, weiß", "{}, blancas"],
  ["Black {}", "{}, schwarz", "{}, negras"],
  ["none", "keine", "ninguno"],
  ["yes", "ja", "sí"],
  ["no", "nein", "no"],

  // What the boards are.
  [
    "120 cells with a rim, and piece lists",
    "120 Zellen mit einem Rand, und Figurenlisten",
    "120 celdas con un borde, y listas de piezas",
  ],
  ["sixty-four cells of four bits", "vierundsechzig Zellen zu vier Bits", "sesenta y cuatro celdas de cuatro bits"],
  [
    "eight by eight integers and sets of steps",
    "acht mal acht Zahlen und Mengen von Schritten",
    "ocho por ocho enteros y conjuntos de pasos",
  ],
  [
    "sets of squares in machine words",
    "Mengen von Feldern in Maschinenwörtern",
    "conjuntos de casillas en palabras de máquina",
  ],
  [
    "sets of squares, six by role and two by player: bit 0 is a1, bit 63 is h8; a rank is a byte",
    "Mengen von Feldern, sechs nach Figurenart und zwei nach Spieler: Bit 0 ist a1, Bit 63 ist h8; eine Reihe ist ein Byte",
    "conjuntos de casillas, seis por tipo de pieza y dos por jugador: el bit 0 es a1, el 63 es h8; una fila es un byte",
  ],
  [
    "120 cells, ten in a row: 0 empty, 1 to 6 White's P N B R Q K, 7 to 12 Black's, 13 the rim",
    "120 Zellen, zehn in einer Reihe: 0 leer, 1 bis 6 P N B R Q K von Weiß, 7 bis 12 die von Schwarz, 13 der Rand",
    "120 celdas, diez por fila: 0 vacía, 1 a 6 P N B R Q K de las blancas, 7 a 12 las negras, 13 el borde",
  ],
  [
    "ten places for each piece: list[10 * piece + n] is its cell, for n below its count",
    "zehn Plätze für jede Figur: list[10 * Figur + n] ist ihre Zelle, für n unter ihrer Anzahl",
    "diez lugares por pieza: list[10 * pieza + n] es su celda, para n menor que su cantidad",
  ],
  [
    "64 cells of four bits, square 0 is a8: piece in the upper three (1 to 6 P N B R Q K), team in the lowest",
    "64 Zellen zu vier Bits, Feld 0 ist a8: die Figur in den oberen drei (1 bis 6 P N B R Q K), die Partei im untersten",
    "64 celdas de cuatro bits, la casilla 0 es a8: la pieza en los tres altos (1 a 6 P N B R Q K), el bando en el bajo",
  ],
  [
    "the same cells as they lie in memory: sixteen to a word, cell 0 in the lowest digit of word 0",
    "dieselben Zellen, wie sie im Speicher liegen: sechzehn in einem Wort, Zelle 0 in der untersten Stelle von Wort 0",
    "las mismas celdas como están en la memoria: dieciséis por palabra, la celda 0 en la cifra baja de la palabra 0",
  ],
  [
    "board[rank][file]: ten times the type (1 to 6 P N B R Q K) plus the colour (0 White, 1 Black)",
    "board[Reihe][Linie]: zehnmal die Art (1 bis 6 P N B R Q K) plus die Farbe (0 Weiß, 1 Schwarz)",
    "board[fila][columna]: diez veces el tipo (1 a 6 P N B R Q K) más el color (0 blancas, 1 negras)",
  ],
  [
    "moved[rank][file]: 1 if what is there has not moved, 0 if it has; empty squares have 1",
    "moved[Reihe][Linie]: 1, wenn die Figur dort nicht gezogen hat, sonst 0; leere Felder haben 1",
    "moved[fila][columna]: 1 si lo que hay no se ha movido, 0 si se movió; las casillas vacías tienen 1",
  ],
  [
    "the steps of each piece: so many files to the right, so many ranks up",
    "die Schritte jeder Figur: so viele Linien nach rechts, so viele Reihen nach oben",
    "los pasos de cada pieza: tantas columnas a la derecha, tantas filas arriba",
  ],
  ["{}, once", "{}, einmal", "{}, una vez"],
  ["{}, until blocked", "{}, bis etwas im Weg ist", "{}, hasta que algo estorbe"],

  // Fields of a move and of the state.
  ["from", "von", "desde"],
  ["to", "nach", "hasta"],
  ["start", "Start", "inicio"],
  ["end", "Ziel", "fin"],
  ["type", "Art", "tipo"],
  ["kind", "Art", "tipo"],
  ["piece", "Figur", "pieza"],
  ["original piece", "ursprüngliche Figur", "pieza original"],
  ["captured", "geschlagen", "capturada"],
  ["captured piece", "geschlagene Figur", "pieza capturada"],
  ["promoted", "umgewandelt", "coronada"],
  ["promotion", "Umwandlung", "coronación"],
  ["promotion ({})", "Umwandlung ({})", "coronación ({})"],
  ["promotion capture ({})", "Umwandlung mit Schlagen ({})", "coronación con captura ({})"],
  ["en passant", "en passant", "al paso"],
  ["en passant ({})", "en passant ({})", "al paso ({})"],
  ["en passant on {}", "en passant auf {}", "al paso en {}"],
  ["pawn start", "Doppelschritt", "doble paso"],
  ["double pawn push", "Doppelschritt eines Bauern", "doble paso de peón"],
  ["castle", "Rochade", "enroque"],
  ["castle move", "Rochade", "enroque"],
  ["castle (king side)", "Rochade (kurz)", "enroque (corto)"],
  ["castle (queen side)", "Rochade (lang)", "enroque (largo)"],
  ["castling", "Rochade", "enroque"],
  ["castling permission {} ({})", "Rochaderecht {} ({})", "derecho de enroque {} ({})"],
  ["capture", "Schlagzug", "captura"],
  ["move", "Zug", "jugada"],
  ["normal", "normal", "normal"],
  ["normal move", "normaler Zug", "jugada normal"],
  ["move type", "Zugart", "tipo de jugada"],
  ["move to", "Zug nach", "jugada hasta"],
  ["move from", "Zug von", "jugada desde"],
  ["move sequence", "Zugfolge", "secuencia"],
  ["moves", "Züge", "jugadas"],
  ["(unused)", "(unbenutzt)", "(sin uso)"],
  ["not used by this type", "bei dieser Art unbenutzt", "sin uso en este tipo"],
  ["side", "Seite", "bando"],
  ["turn", "Zugrecht", "turno"],
  ["key", "Schlüssel", "clave"],
  ["passed", "überschritten", "al paso"],
  ["clock", "Zähler", "contador"],
  ["fifty", "fünfzig", "cincuenta"],
  ["halfmove clock", "Halbzugzähler", "contador de medias jugadas"],
  ["ply", "Halbzug", "media jugada"],
  ["position", "Stellung", "posición"],
  ["material white", "Material Weiß", "material blanco"],
  ["material black", "Material Schwarz", "material negro"],
  ["before the move", "vor dem Zug", "antes de la jugada"],
  [
    "moves since the last capture or pawn move",
    "Züge seit dem letzten Schlag- oder Bauernzug",
    "jugadas desde la última captura o jugada de peón",
  ],
  ["the sum of White's pieces", "die Summe der weißen Figuren", "la suma de las piezas blancas"],
  ["the sum of Black's pieces", "die Summe der schwarzen Figuren", "la suma de las piezas negras"],
  ["entries in the history", "Einträge im Verlauf", "entradas del historial"],
  ["words in the history", "Wörter im Verlauf", "palabras del historial"],
  [
    "only if a pawn may legally take there",
    "nur wenn ein Bauer dort wirklich schlagen darf",
    "solo si un peón puede capturar ahí legalmente",
  ],
  ["the rooks that may castle: {}", "die Türme, die rochieren dürfen: {}", "las torres que pueden enrocar: {}"],
  ["{}: not the team that moved last", "{}: nicht die Partei, die zuletzt zog", "{}: no el bando que jugó el último"],
  ["by a double push; {}", "durch einen Doppelschritt; {}", "por un doble paso; {}"],
  ["a pawn may take there", "ein Bauer darf dort schlagen", "un peón puede capturar ahí"],
  ["no pawn may take there", "kein Bauer darf dort schlagen", "ningún peón puede capturar ahí"],
  [
    "by a pawn's double step, seen from the last move",
    "durch den Doppelschritt eines Bauern, am letzten Zug zu sehen",
    "por el doble paso de un peón, visto en la última jugada",
  ],
  ["White's king on {}", "Weißer König auf {}", "Rey blanco en {}"],
  ["Black's king on {}", "Schwarzer König auf {}", "Rey negro en {}"],
  ["{}, the rook's square", "{}, das Feld des Turms", "{}, la casilla de la torre"],
  ["{}, takes the {}", "{}, schlägt: {}", "{}, toma: {}"],
  ["nothing was taken", "nichts wurde geschlagen", "no se tomó nada"],
  ["nothing, by {}", "nichts, von {}", "nada, por {}"],
  ["the flag of the end square: {}", "das Zeichen des Zielfelds: {}", "la marca de la casilla final: {}"],
  ["the flag of what moves: {}", "das Zeichen der ziehenden Figur: {}", "la marca de lo que mueve: {}"],
  ["not moved", "nicht gezogen", "sin mover"],
  ["has moved", "hat gezogen", "ya movió"],
  ["White has castled", "Weiß hat rochiert", "Las blancas han enrocado"],
  ["Black has castled", "Schwarz hat rochiert", "Las negras han enrocado"],
  ["White's king has moved", "Der weiße König hat gezogen", "El rey blanco ha movido"],
  ["Black's king has moved", "Der schwarze König hat gezogen", "El rey negro ha movido"],
  ["White may castle king side", "Weiß darf kurz rochieren", "Las blancas pueden hacer el enroque corto"],
  ["Black may castle king side", "Schwarz darf kurz rochieren", "Las negras pueden hacer el enroque corto"],
  ["White may castle queen side", "Weiß darf lang rochieren", "Las blancas pueden hacer el enroque largo"],
  ["Black may castle queen side", "Schwarz darf lang rochieren", "Las negras pueden hacer el enroque largo"],

  // The key.
  ["pawns", "Bauern", "peones"],
  ["White's other pieces", "die anderen weißen Figuren", "las demás piezas blancas"],
  ["Black's other pieces", "die anderen schwarzen Figuren", "las demás piezas negras"],
  ["White's knights and bishops", "Springer und Läufer von Weiß", "caballos y alfiles blancos"],
  ["Black's knights and bishops", "Springer und Läufer von Schwarz", "caballos y alfiles negros"],
  [
    "castling rights, en passant and side",
    "Rochaderechte, en passant und Seite",
    "derechos de enroque, al paso y bando",
  ],
  ["cells {} to {}", "Zellen {} bis {}", "celdas {} a {}"],
  ["black to move", "Schwarz am Zug", "juegan negras"],
  ["white to move", "Weiß am Zug", "juegan blancas"],
  ["{} on {}", "{} auf {}", "{} en {}"],
  [
    "kept in parts that follow every piece; turn, castling and en passant are added when it is asked for",
    "in Teilen gespeichert, die jeder Figur folgen; Zugrecht, Rochade und en passant kommen hinzu, wenn er gebraucht wird",
    "guardada en partes que siguen a cada pieza; turno, enroque y al paso se añaden cuando se pide",
  ],
  [
    "kept, and brought up to date by every piece that comes or goes",
    "gespeichert und mit jeder Figur fortgeführt, die kommt oder geht",
    "guardada, y puesta al día con cada pieza que llega o se va",
  ],
  [
    "not kept: computed from the words when it is asked for, each stirred into what came before",
    "nicht gespeichert: aus den Wörtern berechnet, wenn er gebraucht wird, jedes in das bisherige gemischt",
    "no guardada: se calcula de las palabras cuando se pide, cada una mezclada con lo anterior",
  ],
  [
    "not kept: computed from the squares when it is asked for; below, the numbers that differ before and after",
    "nicht gespeichert: aus den Feldern berechnet, wenn er gebraucht wird; unten die Zahlen, die vorher und nachher verschieden sind",
    "no guardada: se calcula de las casillas cuando se pide; abajo, los números que cambian",
  ],

  // Notes and entries of the history.
  ["byte {} of {}", "Byte {} von {}", "byte {} de {}"],
  [
    "count[{}], so list[{}] to list[{}]",
    "count[{}], also list[{}] bis list[{}]",
    "count[{}], o sea list[{}] a list[{}]",
  ],
  ["list[{}], a {}: {} becomes {}", "list[{}], {}: {} wird zu {}", "list[{}], {}: {} pasa a {}"],
  [
    "list[{}], the last {}, {}: count[{}] goes from {} to {}",
    "list[{}], zuletzt in der Liste ({}), {}: count[{}] geht von {} auf {}",
    "list[{}], la última ({}), {}: count[{}] pasa de {} a {}",
  ],
  [
    "list[{}], a {}, {}, changes places with the last, list[{}], {}: count[{}] goes from {} to {}",
    "list[{}], {}, {}, tauscht den Platz mit dem letzten, list[{}], {}: count[{}] geht von {} auf {}",
    "list[{}], {}, {}, cambia de lugar con la última, list[{}], {}: count[{}] pasa de {} a {}",
  ],
  [
    "list[{}] takes a {}, {}: count[{}] goes from {} to {}",
    "list[{}] nimmt auf ({}): {}; count[{}] geht von {} auf {}",
    "list[{}] recibe ({}): {}; count[{}] pasa de {} a {}",
  ],
  ["copy {}", "Kopie {}", "copia {}"],
  ["{} bytes", "{} Byte", "{} bytes"],
  ["the word of the set-up", "das Wort der Aufstellung", "la palabra de la posición inicial"],

  // What the checks say, or do not notice.
  [
    "Nothing is noticed: the bit is kept only once.",
    "Nichts fällt auf: Das Bit ist nur einmal gespeichert.",
    "No se nota nada: el bit se guarda una sola vez.",
  ],
  [
    "The check does not notice: the place is beyond the end of its list, or kept only once.",
    "Die Prüfung merkt es nicht: Der Platz liegt hinter dem Ende seiner Liste oder ist nur einmal gespeichert.",
    "La comprobación no lo nota: el lugar está más allá del final de su lista, o se guarda una sola vez.",
  ],
  [
    "The board does not notice: nothing else tells what stands here, and with this bit it is just another position.",
    "Das Brett merkt es nicht: Nichts anderes sagt, was hier steht, und mit diesem Bit ist es einfach eine andere Stellung.",
    "El tablero no lo nota: nada más dice qué hay aquí, y con este bit es simplemente otra posición.",
  ],
  [
    "The board does not notice: the square is kept only once, and with this bit it is just another position.",
    "Das Brett merkt es nicht: Das Feld ist nur einmal gespeichert, und mit diesem Bit ist es einfach eine andere Stellung.",
    "El tablero no lo nota: la casilla se guarda una sola vez, y con este bit es simplemente otra posición.",
  ],
  [
    "{} is in {} of the six roles and in {} of the two colours",
    "{} liegt in {} der sechs Arten und {} der zwei Farben",
    "{} está en {} de los seis tipos y en {} de los dos colores",
  ],
  ["{} has {} kings", "{} hat {} Könige", "{} tienen {} reyes"],
  [
    "{} may castle, but it is no rook of {} on the back rank",
    "{} darf rochieren, ist aber kein Turm auf der Grundreihe ({})",
    "{} puede enrocar, pero no es una torre en la primera fila ({})",
  ],
  [
    "the key of {} is {}, but the sets say {}",
    "der Schlüssel der {} ist {}, nach den Mengen aber {}",
    "la clave de {} es {}, pero según los conjuntos es {}",
  ],
  [
    "cell {} ({}) holds {}, which means nothing",
    "Zelle {} ({}) enthält {}, was nichts bedeutet",
    "la celda {} ({}) contiene {}, que no significa nada",
  ],
  ["{} holds {}, which means nothing", "{} enthält {}, was nichts bedeutet", "{} contiene {}, que no significa nada"],
  [
    "{} has castled, but the king has not moved",
    "{} hat rochiert, aber der König hat nicht gezogen",
    "{} han enrocado, pero el rey no ha movido",
  ],
  [
    "{} may castle {}, but the king has moved",
    "{} darf rochieren ({}), aber der König hat gezogen",
    "{} pueden enrocar ({}), pero el rey ya movió",
  ],
  [
    "{} may castle {}, but the king is not at home",
    "{} darf rochieren ({}), aber der König steht nicht auf seinem Feld",
    "{} pueden enrocar ({}), pero el rey no está en su casilla",
  ],
  [
    "{} may castle {}, but there is no rook on {}",
    "{} darf rochieren ({}), aber auf {} steht kein Turm",
    "{} pueden enrocar ({}), pero no hay torre en {}",
  ],
  [
    "the last move has the type 0111, which means nothing",
    "der letzte Zug hat die Art 0111, was nichts bedeutet",
    "la última jugada tiene el tipo 0111, que no significa nada",
  ],
  [
    "the last move brought {} to {}, but it is not there",
    "der letzte Zug brachte {} nach {}, aber dort ist nichts davon",
    "la última jugada llevó {} a {}, pero no está ahí",
  ],
  [
    "the last move left {}, but something is there",
    "der letzte Zug verließ {}, aber dort steht etwas",
    "la última jugada dejó {}, pero ahí hay algo",
  ],
  [
    "the flag of {} is {}, neither 0 nor 1",
    "das Zeichen von {} ist {}, weder 0 noch 1",
    "la marca de {} es {}, ni 0 ni 1",
  ],
  [
    "{} is empty, but its flag says that something has moved",
    "{} ist leer, aber das Zeichen sagt, dass dort etwas gezogen hat",
    "{} está vacía, pero su marca dice que algo se movió",
  ],
  [
    "what is on {} is out of place, but its flag says that it has not moved",
    "was auf {} steht, ist nicht an seinem Platz, aber das Zeichen sagt, dass es nicht gezogen hat",
    "lo que hay en {} no está en su lugar, pero su marca dice que no se ha movido",
  ],
  [
    "{}'s king is said to be on {}, but it is not there",
    "der König von {} soll auf {} stehen, tut es aber nicht",
    "se dice que el rey ({}) está en {}, pero no está ahí",
  ],
  [
    "{} is to move, but it is {}'s turn",
    "{} soll am Zug sein, aber an der Reihe ist {}",
    "se dice que juegan {}, pero es el turno de {}",
  ],
  ["king side", "kurz", "corto"],
  ["queen side", "lang", "largo"],
];

/** From English: whole sentences, and those with something to carry over as expressions. */
interface Table {
  whole: Map<string, string>;
  open: { pattern: RegExp; words: string }[];
}

const COLUMNS: Record<string, 1 | 2> = { de: 1, es: 2 };
const tables = new Map<number, Table>();

function table(column: 1 | 2): Table {
  const made: Table = { whole: new Map(), open: [] };
  for (const sentence of SENTENCES) {
    const words = sentence[column];
    if (!sentence[0].includes("{}")) {
      made.whole.set(sentence[0], words);
      continue;
    }
    const parts = sentence[0].split("{}").map(part => part.replaceAll(/[.*+?^$|()[\]{}]/g, String.raw`\$&`));
    made.open.push({ pattern: new RegExp(`^${parts.join("(.+?)")}$`), words });
  }
  tables.set(column, made);
  return made;
}

/** What a board says, in the language of the page. */
export function told(text: string): string {
  const column = COLUMNS[document.documentElement.lang];
  if (!column) return text;
  const { whole, open } = tables.get(column) ?? table(column);
  const known = whole.get(text);
  if (known !== undefined) return known;
  for (const { pattern, words } of open) {
    const found = pattern.exec(text);
    if (!found) continue;
    let next = 0;
    return words.replaceAll("{}", () => told(found[++next] ?? ""));
  }
  return text;
}
