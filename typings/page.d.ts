/** What pages have beside the scripts of static/js: htmx, idiomorph, and the events by which they speak. */

/** What is told of each question that a page asks. */
interface HtmxDetail {
  elt: Element;
  xhr: XMLHttpRequest;
  /** Without an event, it is asked every few seconds. */
  requestConfig: { verb: string; triggeringEvent?: Event };
}

/** Before the answer is put into the page. */
interface HtmxSwapDetail extends HtmxDetail {
  shouldSwap: boolean;
}

/** Before one of its further parts is put into the page. */
interface HtmxPartDetail {
  target: Element;
  fragment: DocumentFragment;
  shouldSwap: boolean;
}

interface DocumentEventMap {
  "htmx:configRequest": CustomEvent<{ headers: Record<string, string> }>;
  "htmx:beforeRequest": CustomEvent<HtmxDetail>;
  "htmx:beforeSend": CustomEvent<HtmxDetail>;
  "htmx:afterRequest": CustomEvent<HtmxDetail>;
  "htmx:afterOnLoad": CustomEvent<HtmxDetail>;
  "htmx:sendError": CustomEvent<HtmxDetail>;
  "htmx:timeout": CustomEvent<HtmxDetail>;
  "htmx:beforeSwap": CustomEvent<HtmxSwapDetail>;
  "htmx:oobBeforeSwap": CustomEvent<HtmxPartDetail>;
  "htmx:afterSwap": CustomEvent<HtmxDetail>;
  "htmx:afterSettle": CustomEvent<HtmxDetail>;
  /** Something is about to be kept; who prevents the default has something to ask first. */
  "outbox:add": CustomEvent<import("../static/js/outbox.js").NewEntry>;
  "outbox:changed": CustomEvent<{ entries: import("../static/js/outbox.js").Entry[], isForgotten: boolean }>;
  /** Whether all that could go was answered. */
  "outbox:tried": CustomEvent<boolean>;
  /** An answer of ours came: there is a network. */
  "network:away": CustomEvent<null>;
  "live:heard": CustomEvent<number>;
  "network:back": CustomEvent<null>;
  /** What the phone has read of its table from the desk's codes. */
  "table:learn": CustomEvent<import("../static/js/table/match.js").Known>;
  /** Who shows it prevents the default. */
  "outbox:heard": CustomEvent<{ table: string, known: import("../static/js/table/match.js").Known }>;
  "outbox:known": CustomEvent<{ table: string, known: import("../static/js/table/match.js").Known }>;
  "outbox:answer": CustomEvent<import("../static/js/outbox.js").Answer>;
}

declare const htmx: {
  trigger(element: Element, name: string): void;
  process(element: Element): void;
};

declare const Idiomorph: {
  defaults: { callbacks: { beforeAttributeUpdated(name: string, element: Element): boolean } };
};

/** What the server asks a device that is to have a passkey: bytes are base64url. */
interface PasskeyCreation
  extends Omit<PublicKeyCredentialCreationOptions, "challenge" | "user" | "excludeCredentials"> {
  challenge: string;
  user: Omit<PublicKeyCredentialUserEntity, "id"> & { id: string };
  excludeCredentials?: (Omit<PublicKeyCredentialDescriptor, "id"> & { id: string })[];
}

/** What the server asks a device that has one. */
interface PasskeyRequest extends Omit<PublicKeyCredentialRequestOptions, "challenge"> {
  challenge: string;
}

/** What browsers have had for longer than some versions of TypeScript know. */
interface WakeLock {
  request(type?: "screen"): Promise<WakeLockSentinel>;
}
interface WakeLockSentinel extends EventTarget {}
interface Navigator {
  readonly wakeLock: WakeLock;
}

/** Where a browser has them. */
declare class CompressionStream implements GenericTransformStream {
  constructor(format: string);
  readonly readable: ReadableStream;
  readonly writable: WritableStream;
}
declare class DecompressionStream extends CompressionStream {}
declare class BarcodeDetector {
  constructor(options: { formats: string[] });
  static getSupportedFormats(): Promise<string[]>;
  detect(image: CanvasImageSource): Promise<{ rawValue: string }[]>;
}
