// Draws the figures in the page's own colours: a string that starts with -- names a CSS variable.
(() => {
  const figures = JSON.parse(document.getElementById("figures").textContent);
  const resolve = (value, style) => {
    if (typeof value === "string") return value.startsWith("--") ? style.getPropertyValue(value).trim() : value;
    if (Array.isArray(value)) return value.map((one) => resolve(one, style));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolve(one, style)]));
    }
    return value;
  };
  const draw = () => {
    const style = getComputedStyle(document.documentElement);
    for (const [name, figure] of Object.entries(figures)) {
      const { data, layout } = resolve(figure, style);
      Plotly.react(`figure-${name}`, data, layout, { responsive: true, displayModeBar: false });
    }
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();

  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.previousElementSibling.textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
  }
})();
