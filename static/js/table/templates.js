/**
 * Draws a template that the server has compiled (web/portable_templates.py), byte for byte as Django would.
 * No page, no clock: a program and values in, text out. What the compiler cannot know before, such as a list where
 * a text is to be drawn, is an error here, and never another text.
 *
 * Values are plain data, or objects with getters. A moment is a Date or a text in ISO 8601, a lapse of time a
 * number of seconds. A dictionary whose keys are not texts is `{items: [[key, value], …]}`.
 *
 * @typedef {string | any[]} Node a text, or a tag with what it draws
 * @typedef {object} Program
 * @property {Record<string, Node[]>} templates
 * @property {Record<string, any>} words what filters say, by the filter and by what it is asked with
 * @typedef {Record<string, any>} Scope the variables; those of the scope around it are behind them
 * @typedef {{program: Program, zone: string}} Drawing
 */

/** @param {Program} program @param {string} name @param {Record<string, any>} context @returns {string} */
export function drawTemplate(program, name, context) {
  const scope = Object.assign(Object.create(null), context);
  return draw({ program, zone: context.time_zone }, program.templates[name], scope);
}

/** @param {Drawing} drawing @param {Node[]} nodes @param {Scope} scope @returns {string} */
function draw(drawing, nodes, scope) {
  let text = "";
  for (const node of nodes) {
    if (typeof node === "string") text += node;
    else text += tags[node[0]](drawing, scope, ...node.slice(1));
  }
  return text;
}

/** @type {Record<string, (drawing: Drawing, scope: Scope, ...parts: any[]) => string>} */
const tags = {
  "=": (drawing, scope, value) => htmlOf(passValue(drawing, scope, value)),
  if: (drawing, scope, ...branches) => {
    const taken = branches.find(([condition]) => isTrue(evaluate(drawing, scope, condition, null)));
    return taken ? draw(drawing, taken[1], scope) : "";
  },
  for: drawLoop,
  with: (drawing, scope, values, nodes) => draw(drawing, nodes, within(drawing, scope, values, scope)),
  include: (drawing, scope, name, values, isAlone) =>
    draw(drawing, drawing.program.templates[name], within(drawing, scope, values, isAlone ? null : scope)),
  count: (drawing, scope, name, number, forms) => {
    const inner = within(drawing, scope, { [name]: number }, scope);
    if (!Number.isInteger(inner[name])) throw new TypeError(`${name} is no number`);
    return draw(drawing, forms[Math.min(inner[name], forms.length - 1)], inner);
  },
  as: (drawing, scope, name, nodes) => {
    scope[name] = new Safe(draw(drawing, nodes, scope));
    return "";
  },
  let: (drawing, scope, name, value) => {
    scope[name] = passValue(drawing, scope, value);
    return "";
  },
};

/** @type {typeof tags[""]} */
function drawLoop(drawing, scope, names, sequence, isReversed, nodes, empty) {
  const items = [...(plain(evaluate(drawing, scope, sequence, null)) ?? [])];
  const inner = Object.create(scope);
  if (!items.length) return draw(drawing, empty, inner);
  if (isReversed) items.reverse();
  const parentloop = scope.forloop ?? {};
  const drawn = items.map((item, index) => {
    const left = items.length - index;
    const counters = { counter0: index, counter: index + 1, revcounter: left, revcounter0: left - 1 };
    inner.forloop = { parentloop, ...counters, first: index === 0, last: left === 1 };
    if (names.length > 1) return draw(drawing, nodes, unpack(inner, names, item));
    inner[names[0]] = item;
    return draw(drawing, nodes, inner);
  });
  return drawn.join("");
}

/** @param {Scope} scope @param {string[]} names @param {any} item */
function unpack(scope, names, item) {
  if (item.length !== names.length) throw new TypeError(`not ${names.length} values for ${names}`);
  return Object.assign(Object.create(scope), Object.fromEntries(names.map((name, at) => [name, item[at]])));
}

/** @param {Drawing} drawing @param {Scope} scope @param {Record<string, any>} values @param {Scope | null} around */
function within(drawing, scope, values, around) {
  const inner = Object.create(around);
  for (const name of Object.keys(values)) inner[name] = passValue(drawing, scope, values[name]);
  return inner;
}

/** A text of HTML, which is not escaped once more. */
class Safe {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** @type {Record<string, string>} */
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** @param {any} value @returns {string} as it stands in the page */
function htmlOf(value) {
  return value instanceof Safe ? value.text : plainText(value).replace(/[&<>"']/g, (sign) => ESCAPED[sign]);
}

/** @param {any} value @returns {string} */
function plainText(value) {
  if (typeof value === "string" || Number.isInteger(value)) return String(value);
  if (value instanceof Safe) return value.text;
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  throw new TypeError(`${JSON.stringify(value)} is no text`);
}

/** @type {(drawing: Drawing, scope: Scope, value: any) => any} what is drawn or passed on: "" where it is missing */
const passValue = (drawing, scope, value) => evaluate(drawing, scope, value, "");

/**
 * @param {Drawing} drawing
 * @param {Scope} scope
 * @param {any} value as it stands in the program
 * @param {"" | null} [missing] what a missing variable is taken for; without, as an argument is, it is an error
 * @returns {any}
 */
function evaluate(drawing, scope, value, missing) {
  if (typeof value === "string") {
    const inside = resolve(scope, value);
    const there = inside === undefined ? missing : inside;
    if (there === undefined) throw new ReferenceError(`no ${value}`);
    return there;
  }
  if (!Array.isArray(value)) return value;
  const [name, first, second] = value;
  if (name === "'") return new Safe(first);
  if (name === "literal") return first;
  const asked = evaluate(drawing, scope, first, missing);
  if (name === "and" || name === "or") {
    return isTrue(asked) === (name === "or") ? asked : evaluate(drawing, scope, second, missing);
  }
  if (operators[name]) return operators[name](plain(asked), plain(evaluate(drawing, scope, second, missing)));
  if (filters[name]) return filters[name](asked, evaluate(drawing, scope, second), drawing);
  return wordFor(drawing.program.words[name], plainText(asked));
}

/** @param {Record<string, any>} words @param {string} key @returns {any} */
function wordFor(words, key) {
  if (!Object.keys(words).includes(key)) throw new RangeError(`no word for ${key}`);
  return words[key];
}

/** @param {Scope} scope @param {string} path @returns {any} undefined where there is no such variable */
function resolve(scope, path) {
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
const plain = (value) => (value instanceof Safe ? value.text : value);

/** @param {any} value @returns {boolean} as Python has it: nothing in it, nothing true */
function isTrue(value) {
  const bare = plain(value);
  if (Array.isArray(bare)) return bare.length > 0;
  return isDictionary(bare) ? Object.keys(bare).length > 0 : Boolean(bare);
}

/** @param {any} value @returns {any} to be compared: in Python, true is 1 */
const single = (value) => (typeof value === "boolean" ? Number(value) : value);

/** @param {any} one @param {any} other @returns {boolean} */
function areEqual(one, other) {
  if (one && other && typeof one === "object" && typeof other === "object" && one !== other) {
    throw new TypeError("what is not a single value is not compared");
  }
  return single(one) === single(other);
}

/** @param {any} one @param {any} other @returns {number} which comes first: -1, 0, 1; NaN where neither does */
function order(one, other) {
  const [left, right] = [single(one), single(other)];
  if (typeof left !== typeof right || !["number", "string"].includes(typeof left)) return NaN;
  return left < right ? -1 : Number(left > right);
}

/** @param {any} item @param {any} container @returns {boolean | undefined} undefined where nothing can be in it */
function isIn(item, container) {
  if (Array.isArray(container)) return container.some((each) => areEqual(item, plain(each)));
  if (typeof container === "string") return typeof item === "string" ? container.includes(item) : undefined;
  return isDictionary(container) ? Object.keys(container).includes(item) : undefined;
}

/** @type {Record<string, (one: any, other: any) => boolean>} */
const operators = {
  not: (one) => !isTrue(one),
  in: (one, other) => isIn(one, other) === true,
  "not in": (one, other) => isIn(one, other) === false,
  is: (one, other) => one === other,
  "is not": (one, other) => one !== other,
  "==": areEqual,
  "!=": (one, other) => !areEqual(one, other),
  "<": (one, other) => order(one, other) < 0,
  "<=": (one, other) => order(one, other) <= 0,
  ">": (one, other) => order(one, other) > 0,
  ">=": (one, other) => order(one, other) >= 0,
};

/**
 * What templates reckon, as Django and wording/templatetags do.
 * @type {Record<string, (value: any, argument: any, drawing: Drawing) => any>}
 */
export const filters = {
  capfirst: (value) => alike(value, (text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
  date: (value) => (value ? Math.floor(momentOf(value) / 1000) : ""),
  default: (value, other) => (isTrue(value) ? value : other),
  if_none_match: (etag) => `{"If-None-Match": ${JSON.stringify(plain(etag))}}`,
  is_over: (clock, now) => secondsLeft(clock, now) <= 0,
  joined: (names, _, { program }) => {
    const [first, last] = [names.slice(0, -1).join(", "), names[names.length - 1]];
    return names.length < 2 ? names.join("") : fill(program.words.joined.two, { first, last });
  },
  lasting: (left) => {
    const seconds = Math.max(0, Math.trunc(left));
    const [hours, minutes] = [Math.trunc(seconds / 3600), Math.trunc(seconds / 60) % 60];
    return `${hours ? `${hours}:${twoDigits(minutes)}` : minutes}:${twoDigits(seconds % 60)}`;
  },
  length: (value) => {
    const bare = plain(value) ?? [];
    return isDictionary(bare) ? Object.keys(bare).length : [...bare].length;
  },
  minutes_away: (clock, now) => {
    const seconds = Math.trunc(secondsLeft(clock, now));
    return seconds < 0 ? Math.floor(-seconds / 60) : Math.ceil(seconds / 60);
  },
  outcome: ({ contract, made }, _, { program }) =>
    wordFor(program.words.outcome, `${contract} ${made ? "made" : "failed"}`),
  safe: (value) => new Safe(plainText(value)),
  sentence: ({ code, details, sentence }, _, { program }) =>
    sentence ?? fill(wordFor(program.words.sentence, code), details),
  slice: (value, bounds) => {
    const [from, to] = plain(bounds).split(":").map((/** @type {string} */ one) => (one ? Number(one) : undefined));
    return Array.isArray(value) ? value.slice(from, to) : alike(value, (text) => [...text].slice(from, to).join(""));
  },
  time: (value, _, { program, zone }) => {
    if (!value) return "";
    const [hour, minutes] = clockOf(zone).format(momentOf(value)).split(":");
    const afterWholeHours = minutes === "00" ? 0 : 24;
    return fill(program.words.time[afterWholeHours + Number(hour)], { minutes });
  },
  yesno: (value, choices) => {
    const [yes, no, maybe = no] = plain(choices).split(",");
    return value === null ? maybe : isTrue(value) ? yes : no;
  },
};

/** @param {any} value @param {(text: string) => string} change @returns {any} HTML where the value is */
const alike = (value, change) => (value instanceof Safe ? new Safe(change(value.text)) : change(plainText(value)));

/** @type {(sentence: string, values: Record<string, any>) => string} its places are `{name}` */
const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (_, name) => plainText(values[name]));

/** @param {number} number @returns {string} */
const twoDigits = (number) => String(number).padStart(2, "0");

/** @param {string | Date} moment @returns {number} in milliseconds */
const momentOf = (moment) => new Date(moment).getTime();

/** @param {{left: number | null, ends_at: string | Date}} clock @param {string | Date} now @returns {number} */
const secondsLeft = (clock, now) => clock.left ?? (momentOf(clock.ends_at) - momentOf(now)) / 1000;

/** @type {Map<string, Intl.DateTimeFormat>} to make one takes long */
const clocks = new Map();

/** @param {string} timeZone @returns {Intl.DateTimeFormat} */
function clockOf(timeZone) {
  const made = clocks.get(timeZone);
  if (made) return made;
  const clock = new Intl.DateTimeFormat("en", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  clocks.set(timeZone, clock);
  return clock;
}
