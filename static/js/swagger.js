/** The API reference: Swagger UI, light or dark like the page. */

const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const place = /** @type {HTMLElement} */ (document.getElementById("swagger-ui"));

function followTheme() {
  const theme = root.dataset.theme ?? (system.matches ? "dark" : "light");
  root.classList.toggle("dark-mode", theme === "dark");
}

followTheme();
system.addEventListener("change", followTheme);
new MutationObserver(followTheme).observe(root, { attributeFilter: ["data-theme"] });

SwaggerUIBundle({
  domNode: place,
  url: place.dataset.schema,
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  plugins: [() => ({ wrapComponents: { InfoContainer: () => () => null } })], // the page has its own heading
  validatorUrl: "none", // that service is on another site
});
