// A player for put in plain JavaScript: node bot.js [--level N]
//
// It reads a line of JSON, writes a line of JSON, and knows nothing but what the lines say;
// docs/external-players.md describes them. Play it with
//
//   put match "exec(node examples/external/bot.js --level 2)" odds
//   put check "exec(node examples/external/bot.js)"

"use strict";

const readline = require("node:readline");

const at = process.argv.indexOf("--level");
const level = at < 0 ? 3 : Number(process.argv[at + 1]); // so many best ranks are good cards

let words = {}; // PUT, SEE, THROW ... with their numbers
let fields = []; // what the numbers of a view mean, in order

function viewOf(row) {
  return Object.fromEntries(fields.map((name, place) => [name, row[place]]));
}

const methods = {
  act(view) {
    const good = view.cards.filter((card) => card > view.top - level).length;
    const strong = good + view.my_tricks - view.their_tricks >= 2;
    if (view.asked) return strong ? words.SEE : words.THROW;
    if (view.may_put && strong) return words.PUT;
    if (!view.may_play) return words.THROW;
    return view.cheapest_winner || view.lowest;
  },

  // Partners: the better hand is played by whoever has two more good cards to add to a gift.
  gift(view) {
    return view.cards[1] > view.top - level ? words.RECEIVE : words.GIVE;
  },

  lay_out(view) {
    return view.must_swap ? view.cards[2] : view.lowest;
  },

  misdeal(view) {
    if (view.highest <= view.top - level) return words.REDEAL;
    return view.misdeal === 1 ? words.STAND : words.DRAW;
  },
};

const answers = {
  hello(line) {
    words = line.words;
    return { type: "hello", protocol: 1, version: "1.0", summary: "Counts its good cards." };
  },

  rules(line) {
    fields = line.fields;
    return { type: "ready" };
  },

  decide(line) {
    const decide = methods[line.method];
    return { type: "actions", actions: line.views.map((row) => decide(viewOf(row))) };
  },
};

readline.createInterface({ input: process.stdin }).on("line", (text) => {
  const line = JSON.parse(text);
  process.stdout.write(JSON.stringify(answers[line.type](line)) + "\n");
});
