/** Types of what pages have beside the scripts of static/js: htmx, idiomorph, Swagger UI, and custom events. */

/** The details of each request of a page. */
interface HtmxDetail {
  elt: Element;
  xhr: XMLHttpRequest;
  /** Without an event, it is a poll. */
  requestConfig: { verb: string; triggeringEvent?: Event };
}

/** Before the response is put into the page. */
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
  /** An entry is about to be added; a listener with a question first prevents the default. */
  "outbox:add": CustomEvent<import("../static/js/outbox.js").NewEntry>;
  "outbox:changed": CustomEvent<{ entries: import("../static/js/outbox.js").Entry[], isForgotten: boolean }>;
  /** Whether all entries that could be sent were answered. */
  "outbox:tried": CustomEvent<boolean>;
  /** Polls had no response: the network is away. */
  "network:away": CustomEvent<null>;
  "live:heard": CustomEvent<number>;
  "network:back": CustomEvent<null>;
  /** The snapshot that the phone has read from the QR codes of the desk. */
  "table:learn": CustomEvent<import("../static/js/table/match.js").TableSnapshot>;
  /** The snapshots of this phone; a listener that shows an answer prevents the default. */
  "outbox:heard": CustomEvent<{ table: string, known: import("../static/js/table/match.js").TableSnapshot }>;
  "outbox:known": CustomEvent<{ table: string, known: import("../static/js/table/match.js").TableSnapshot }>;
  "outbox:answer": CustomEvent<import("../static/js/outbox.js").Answer>;
}

declare const htmx: {
  trigger(element: Element, name: string): void;
  process(element: Element): void;
};

declare const Idiomorph: {
  defaults: { callbacks: { beforeAttributeUpdated(name: string, element: Element): boolean } };
};

declare function SwaggerUIBundle(settings: Record<string, unknown>): void;

interface SwaggerSystem {
  React: { createElement(kind: unknown, properties: object, children?: unknown): unknown };
}

interface SwaggerProps {
  getComponent(name: string, isContainer: boolean): unknown;
  specSelectors: { loadingStatus(): string };
}

/** The server's options for creating a passkey, with bytes in base64url. */
interface PasskeyCreation
  extends Omit<PublicKeyCredentialCreationOptions, "challenge" | "user" | "excludeCredentials"> {
  challenge: string;
  user: Omit<PublicKeyCredentialUserEntity, "id"> & { id: string };
  excludeCredentials?: (Omit<PublicKeyCredentialDescriptor, "id"> & { id: string })[];
}

/** The server's options for using a passkey. */
interface PasskeyRequest extends Omit<PublicKeyCredentialRequestOptions, "challenge"> {
  challenge: string;
}

/** Browser APIs that are missing in some versions of TypeScript. */
interface WakeLock {
  request(type?: "screen"): Promise<WakeLockSentinel>;
}
interface WakeLockSentinel extends EventTarget {}
interface Navigator {
  readonly wakeLock: WakeLock;
}

/** Classes that some browsers have. */
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
