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

/**
 * Returns a layout like Swagger UI's own, without its heading and its `main` element: the page has both.
 * @param {SwaggerSystem} system
 */
const createPageLayout = ({ React }) => ({
  components: {
    PageLayout: (/** @type {SwaggerProps} */ { getComponent, specSelectors }) => {
      const isLoaded = specSelectors.loadingStatus() === "success";
      const parts = isLoaded ? ["SvgAssets", "AuthorizeBtnContainer", "operations", "Models"] : ["errors"];
      const elements = parts.map((name) => React.createElement(getComponent(name, true), { key: name }));
      return React.createElement("div", { className: "swagger-ui wrapper" }, elements);
    },
  },
});

SwaggerUIBundle({
  domNode: place,
  url: place.dataset.schema,
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  layout: "PageLayout",
  plugins: [createPageLayout],
  validatorUrl: "none", // that service is on another site
});
