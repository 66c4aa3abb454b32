// Sorts the table of games by a column and finds games by name.
(() => {
  const table = document.getElementById("games");
  if (!table) return;
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[1].cells];
  const note = document.getElementById("sorting");
  const value = (row, column) => {
    const cell = row.cells[column];
    return "v" in cell.dataset ? Number(cell.dataset.v) : column < 2 ? cell.textContent.toLowerCase() : null;
  };
  const sort = (column, down) => {
    const rows = [...body.rows].map((row) => [value(row, column), row]);
    rows.sort(([a], [b]) => {
      // What is missing stays at the end.
      if (a === null || b === null) return (a === null) - (b === null);
      return (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1);
    });
    body.append(...rows.map(([, row]) => row));
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  };
  heads.forEach((head, column) => {
    // Real buttons are missing where a printed table repeats its head.
    const button = document.createElement("span");
    button.setAttribute("role", "button");
    button.tabIndex = 0;
    button.textContent = head.textContent;
    const press = () => {
      const before = head.getAttribute("aria-sort");
      sort(column, before ? before === "ascending" : column > 1);
    };
    button.addEventListener("click", press);
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      press();
    });
    head.replaceChildren(button);
  });
  heads[0].setAttribute("aria-sort", "ascending");
  const find = document.createElement("input");
  find.type = "search";
  find.className = "find";
  find.placeholder = "find a game";
  find.setAttribute("aria-label", "find a game");
  find.addEventListener("input", () => {
    const wanted = find.value.trim().toLowerCase();
    for (const row of body.rows) row.hidden = !row.cells[0].textContent.toLowerCase().includes(wanted);
  });
  note.textContent = "Click a column to sort by it.";
  note.append(find);
})();
