/** "No, because", as errors/__init__.py: a code, the field it concerns, and what a sentence about it needs. */
export class Refusal extends Error {
  /** @param {string} code @param {string} field @param {Record<string, unknown>} [details] */
  constructor(code, field, details = {}) {
    super(code);
    this.code = code;
    this.field = field;
    this.details = details;
  }
}
