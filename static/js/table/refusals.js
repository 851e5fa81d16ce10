/** A refusal as in errors/__init__.py: a code, the field that it concerns, and the values of its sentence. */
export class Refusal extends Error {
  /** @param {string} code @param {string} field @param {Record<string, unknown>} [details] */
  constructor(code, field, details = {}) {
    super(code);
    this.code = code;
    this.field = field;
    this.details = details;
  }
}
