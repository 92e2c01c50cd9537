// A click on a heading sorts its table by that column: numbers by size, words by letter.
"use strict";
for (const heading of document.querySelectorAll("th[aria-sort]")) {
  heading.querySelector("button").addEventListener("click", () => {
    const body = heading.closest("table").tBodies[0];
    const words = heading.classList.contains("words");
    const before = heading.getAttribute("aria-sort");
    const down = words ? before === "ascending" : before !== "descending";
    const value = (row) => {
      const text = row.cells[heading.cellIndex].textContent.trim();
      if (words) return text;
      const number = parseFloat(text.replace(/,/g, "").replace(/^[^\d.+-]+/, ""));
      return Number.isNaN(number) ? -Infinity : number;
    };
    const rows = [...body.rows].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return words ? x.localeCompare(y) : x < y ? -1 : x > y ? 1 : 0;
    });
    if (down) rows.reverse();
    body.append(...rows);
    for (const other of heading.parentElement.cells)
      if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
  });
}
