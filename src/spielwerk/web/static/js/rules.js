// The page of the rules: pictures of the games, and of their boards.

import { kindNamed, tile } from "./games.js";
import { drawPictures } from "./pictures.js";

for (const link of document.querySelectorAll(".tile[data-game]")) {
  link.prepend(tile(kindNamed(link.dataset.game)));
}
await drawPictures(document);
