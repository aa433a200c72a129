// Theme and pace as this browser has set them. A classic script, because modules come too late for the
// first paint. It must never fail, so it believes nothing of what is stored.

(() => {
  const root = document.documentElement;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem("spielwerk")) ?? {};
    } catch {
      return {}; // nothing is kept, or nothing that can be read: everything is as it comes
    }
  };
  const apply = ({ detail } = {}) => {
    const kept = detail ?? stored();
    if (kept.theme === "light" || kept.theme === "dark") root.dataset.theme = kept.theme;
    else delete root.dataset.theme;
    const step = Number.isFinite(kept.step) && !still.matches;
    if (step) root.style.setProperty("--step", `${kept.step}ms`);
    else root.style.removeProperty("--step");
  };
  apply();
  still.addEventListener("change", apply);
  addEventListener("storage", apply);
  addEventListener("sw-settings", apply);
})();
