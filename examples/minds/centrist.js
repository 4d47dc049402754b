#!/usr/bin/env node
// Goes to the middle of the board: the nearer the target square, the better.
const lines = require("readline").createInterface({ input: process.stdin });

function distanceFromMiddle(move) {
  const file = move.charCodeAt(2) - "a".charCodeAt(0);
  const rank = Number(move[3]) - 1;
  return Math.max(Math.abs(file - 3.5), Math.abs(rank - 3.5));
}

lines.on("line", (line) => {
  const moves = line.split(" moves ")[1].split(" time ")[0].trim().split(" ");
  moves.sort((a, b) => distanceFromMiddle(a) - distanceFromMiddle(b));
  console.log(moves[0]);
});
