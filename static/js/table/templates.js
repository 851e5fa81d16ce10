/**
 * Renders a template that the server has compiled (web/portable_templates.py), byte for byte as Django would.
 * Uses no page and no clock: a program and values in, text out. Values that the compiler cannot check, such as a list in
 * place of a text, are errors here.
 *
 * Values are JSON data, or objects with getters. A moment is a Date or a text in ISO 8601, a duration a number of
 * seconds. A dictionary whose keys are not texts is `{items: [[key, value], …]}`.
 *
 * @typedef {string | any[]} Node a text, or a tag with its arguments
 * @typedef {object} Program
 * @property {Record<string, Node[]>} templates
 * @property {Record<string, any>} words the translated texts of filters, by filter and value
 * @typedef {Record<string, any>} Scope the variables, with the enclosing scope as prototype
 * @typedef {{program: Program, zone: string}} Rendering
 */

/** @param {Program} program @param {string} name @param {Record<string, any>} context @returns {string} */
export function renderTemplate(program, name, context) {
  const scope = Object.assign(Object.create(null), context);
  return renderNodes({ program, zone: context.time_zone }, program.templates[name], scope);
}

/** @param {Rendering} drawing @param {Node[]} nodes @param {Scope} scope @returns {string} */
function renderNodes(drawing, nodes, scope) {
  let text = "";
  for (const node of nodes) {
    if (typeof node === "string") text += node;
    else text += tags[node[0]](drawing, scope, ...node.slice(1));
  }
  return text;
}

/** @type {Record<string, (drawing: Rendering, scope: Scope, ...parts: any[]) => string>} */
const tags = {
  "=": (drawing, scope, value) => escapeHtml(evaluateOrEmpty(drawing, scope, value)),
  if: (drawing, scope, ...branches) => {
    const taken = branches.find(([condition]) => isTruthy(evaluate(drawing, scope, condition, null)));
    return taken ? renderNodes(drawing, taken[1], scope) : "";
  },
  for: renderLoop,
  with: (drawing, scope, values, nodes) => renderNodes(drawing, nodes, createScope(drawing, scope, values, scope)),
  include: (drawing, scope, name, values, isAlone) =>
    renderNodes(drawing, drawing.program.templates[name], createScope(drawing, scope, values, isAlone ? null : scope)),
  count: (drawing, scope, name, number, forms) => {
    const inner = createScope(drawing, scope, { [name]: number }, scope);
    if (!Number.isInteger(inner[name])) throw new TypeError(`${name} is no number`);
    return renderNodes(drawing, forms[Math.min(inner[name], forms.length - 1)], inner);
  },
  as: (drawing, scope, name, nodes) => {
    scope[name] = new SafeText(renderNodes(drawing, nodes, scope));
    return "";
  },
  let: (drawing, scope, name, value) => {
    scope[name] = evaluateOrEmpty(drawing, scope, value);
    return "";
  },
};

/** @type {typeof tags[""]} */
function renderLoop(drawing, scope, names, sequence, isReversed, nodes, empty) {
  const items = [...(unwrapSafe(evaluate(drawing, scope, sequence, null)) ?? [])];
  const inner = Object.create(scope);
  if (!items.length) return renderNodes(drawing, empty, inner);
  if (isReversed) items.reverse();
  const parentloop = scope.forloop ?? {};
  const drawn = items.map((item, index) => {
    const left = items.length - index;
    const counters = { counter0: index, counter: index + 1, revcounter: left, revcounter0: left - 1 };
    inner.forloop = { parentloop, ...counters, first: index === 0, last: left === 1 };
    if (names.length > 1) return renderNodes(drawing, nodes, unpackItem(inner, names, item));
    inner[names[0]] = item;
    return renderNodes(drawing, nodes, inner);
  });
  return drawn.join("");
}

/** @param {Scope} scope @param {string[]} names @param {any} item */
function unpackItem(scope, names, item) {
  if (item.length !== names.length) throw new TypeError(`not ${names.length} values for ${names}`);
  return Object.assign(Object.create(scope), Object.fromEntries(names.map((name, at) => [name, item[at]])));
}

/** @param {Rendering} drawing @param {Scope} scope @param {Record<string, any>} values @param {Scope | null} parent */
function createScope(drawing, scope, values, parent) {
  const inner = Object.create(parent);
  for (const name of Object.keys(values)) inner[name] = evaluateOrEmpty(drawing, scope, values[name]);
  return inner;
}

/** A text that is already HTML, and not escaped again. */
class SafeText {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** @type {Record<string, string>} */
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** @param {any} value @returns {string} as HTML */
function escapeHtml(value) {
  return value instanceof SafeText ? value.text : formatText(value).replace(/[&<>"']/g, (sign) => ESCAPES[sign]);
}

/** @param {any} value @returns {string} */
function formatText(value) {
  if (typeof value === "string" || Number.isInteger(value)) return String(value);
  if (value instanceof SafeText) return value.text;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  throw new TypeError(`${JSON.stringify(value)} is no text`);
}

/** @type {(drawing: Rendering, scope: Scope, value: any) => any} "" for a missing variable */
const evaluateOrEmpty = (drawing, scope, value) => evaluate(drawing, scope, value, "");

/**
 * @param {Rendering} drawing
 * @param {Scope} scope
 * @param {any} value of the program
 * @param {"" | null} [missing] the value of a missing variable; without it, as for arguments, an error
 * @returns {any}
 */
function evaluate(drawing, scope, value, missing) {
  if (typeof value === "string") {
    const resolved = resolvePath(scope, value);
    const result = resolved === undefined ? missing : resolved;
    if (result === undefined) throw new ReferenceError(`no ${value}`);
    return result;
  }
  if (!Array.isArray(value)) return value;
  const [name, first, second] = value;
  if (name === "'") return new SafeText(first);
  if (name === "literal") return first;
  const operand = evaluate(drawing, scope, first, missing);
  if (name === "and" || name === "or") {
    return isTruthy(operand) === (name === "or") ? operand : evaluate(drawing, scope, second, missing);
  }
  if (operators[name]) return operators[name](unwrapSafe(operand), unwrapSafe(evaluate(drawing, scope, second, missing)));
  if (filters[name]) return filters[name](operand, evaluate(drawing, scope, second), drawing);
  return findWord(drawing.program.words[name], formatText(operand));
}

/** @param {Record<string, any>} words @param {string} key @returns {any} */
function findWord(words, key) {
  if (!Object.keys(words).includes(key)) throw new RangeError(`no word for ${key}`);
  return words[key];
}

/** @param {Scope} scope @param {string} path @returns {any} undefined if there is no such variable */
function resolvePath(scope, path) {
  return path.split(".").reduce((/** @type {any} */ value, name) => {
    const isList = Array.isArray(value) || typeof value === "string";
    const inside = isList && !/^\d+$/.test(name) ? undefined : value?.[name];
    if (inside === undefined && name === "items" && isDictionary(value)) return Object.entries(value);
    return typeof inside === "function" ? undefined : inside;
  }, scope);
}

/** @param {any} value @returns {boolean} */
const isDictionary = (value) => Boolean(value) && Object.getPrototypeOf(value) === Object.prototype;

/** @param {any} value @returns {any} */
const unwrapSafe = (value) => (value instanceof SafeText ? value.text : value);

/** @param {any} value @returns {boolean} truth as in Python: empty containers are false */
function isTruthy(value) {
  const bare = unwrapSafe(value);
  if (Array.isArray(bare)) return bare.length > 0;
  return isDictionary(bare) ? Object.keys(bare).length > 0 : Boolean(bare);
}

/** @param {any} value @returns {any} for a comparison: in Python, true is 1 */
const toComparable = (value) => (typeof value === "boolean" ? Number(value) : value);

/** @param {any} one @param {any} other @returns {boolean} */
function areEqual(one, other) {
  if (one && other && typeof one === "object" && typeof other === "object" && one !== other) {
    throw new TypeError("only single values can be compared");
  }
  return toComparable(one) === toComparable(other);
}

/** @param {any} one @param {any} other @returns {number} -1, 0 or 1; NaN if they have no order */
function compare(one, other) {
  const [left, right] = [toComparable(one), toComparable(other)];
  if (typeof left !== typeof right || !["number", "string"].includes(typeof left)) return NaN;
  return left < right ? -1 : Number(left > right);
}

/** @param {any} item @param {any} container @returns {boolean | undefined} undefined if it is no container */
function isIn(item, container) {
  if (Array.isArray(container)) return container.some((each) => areEqual(item, unwrapSafe(each)));
  if (typeof container === "string") return typeof item === "string" ? container.includes(item) : undefined;
  return isDictionary(container) ? Object.keys(container).includes(item) : undefined;
}

/** @type {Record<string, (one: any, other: any) => boolean>} */
const operators = {
  not: (one) => !isTruthy(one),
  in: (one, other) => isIn(one, other) === true,
  "not in": (one, other) => isIn(one, other) === false,
  is: (one, other) => one === other,
  "is not": (one, other) => one !== other,
  "==": areEqual,
  "!=": (one, other) => !areEqual(one, other),
  "<": (one, other) => compare(one, other) < 0,
  "<=": (one, other) => compare(one, other) <= 0,
  ">": (one, other) => compare(one, other) > 0,
  ">=": (one, other) => compare(one, other) >= 0,
};

/**
 * Filters, as in Django and wording/templatetags.
 * @type {Record<string, (value: any, argument: any, drawing: Rendering) => any>}
 */
export const filters = {
  capfirst: (value) => mapText(value, (text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
  date: (value) => (value ? Math.floor(parseMoment(value) / 1000) : ""),
  default: (value, other) => (isTruthy(value) ? value : other),
  if_none_match: (etag) => `{"If-None-Match": ${JSON.stringify(unwrapSafe(etag))}}`,
  is_over: (clock, now) => countSecondsLeft(clock, now) <= 0,
  joined: (names, _, { program }) => {
    const [first, last] = [names.slice(0, -1).join(", "), names[names.length - 1]];
    return names.length < 2 ? names.join("") : fillPlaceholders(program.words.joined.two, { first, last });
  },
  lasting: (left) => {
    const seconds = Math.max(0, Math.trunc(left));
    const [hours, minutes] = [Math.trunc(seconds / 3600), Math.trunc(seconds / 60) % 60];
    return `${hours ? `${hours}:${padTwoDigits(minutes)}` : minutes}:${padTwoDigits(seconds % 60)}`;
  },
  length: (value) => {
    const bare = unwrapSafe(value) ?? [];
    return isDictionary(bare) ? Object.keys(bare).length : [...bare].length;
  },
  minutes_away: (clock, now) => {
    const seconds = Math.trunc(countSecondsLeft(clock, now));
    return seconds < 0 ? Math.floor(-seconds / 60) : Math.ceil(seconds / 60);
  },
  outcome: ({ contract, made }, _, { program }) =>
    findWord(program.words.outcome, `${contract} ${made ? "made" : "failed"}`),
  safe: (value) => new SafeText(formatText(value)),
  sentence: ({ code, details, sentence }, _, { program }) =>
    sentence ?? fillPlaceholders(findWord(program.words.sentence, code), details),
  slice: (value, bounds) => {
    const [from, to] = unwrapSafe(bounds).split(":").map((/** @type {string} */ one) => (one ? Number(one) : undefined));
    return Array.isArray(value) ? value.slice(from, to) : mapText(value, (text) => [...text].slice(from, to).join(""));
  },
  time: (value, _, { program, zone }) => {
    if (!value) return "";
    const [hour, minutes] = getClockFormat(zone).format(parseMoment(value)).split(":");
    const afterWholeHours = minutes === "00" ? 0 : 24;
    return fillPlaceholders(program.words.time[afterWholeHours + Number(hour)], { minutes });
  },
  yesno: (value, choices) => {
    const [yes, no, maybe = no] = unwrapSafe(choices).split(",");
    return value === null ? maybe : isTruthy(value) ? yes : no;
  },
};

/** @param {any} value @param {(text: string) => string} change @returns {any} HTML if the value is */
const mapText = (value, change) => (value instanceof SafeText ? new SafeText(change(value.text)) : change(formatText(value)));

/** @type {(sentence: string, values: Record<string, any>) => string} with placeholders `{name}` */
const fillPlaceholders = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => formatText(values[name]));

/** @param {number} number @returns {string} */
const padTwoDigits = (number) => String(number).padStart(2, "0");

/** @param {string | Date} moment @returns {number} in milliseconds */
const parseMoment = (moment) => new Date(moment).getTime();

/** @param {{left: number | null, ends_at: string | Date}} clock @param {string | Date} now @returns {number} */
const countSecondsLeft = (clock, now) => clock.left ?? (parseMoment(clock.ends_at) - parseMoment(now)) / 1000;

/** @type {Map<string, Intl.DateTimeFormat>} cached, since creating one is slow */
const clockFormats = new Map();

/** @param {string} timeZone @returns {Intl.DateTimeFormat} */
function getClockFormat(timeZone) {
  const made = clockFormats.get(timeZone);
  if (made) return made;
  const clock = new Intl.DateTimeFormat("en", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  clockFormats.set(timeZone, clock);
  return clock;
}
