// Noughts and crosses on the pages.

import { t } from "../../js/texts.js";

export default [
  {
    name: "noughts",
    about: () => t("noughts.about"),
    sample: () => ({ squares: ".".repeat(9), last: null }),
    told: ({ move }, { name }) => t("noughts.told", { name, square: move }),
    due: () => t("noughts.due"),
  },
];
