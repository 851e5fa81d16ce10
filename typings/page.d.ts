/** What pages have beside the scripts of static/js: htmx, idiomorph, and the events by which they speak. */

/** What is told of each question that a page asks. */
interface HtmxDetail {
  elt: Element;
  xhr: XMLHttpRequest;
  requestConfig: { verb: string };
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
  /** The hand that waits at this page, if any. */
  "outbox:changed": CustomEvent<import("../static/js/outbox.js").Hand | null>;
  /** Who shows it prevents the default. */
  "outbox:answer": CustomEvent<import("../static/js/outbox.js").Answer>;
}

declare const htmx: {
  swap(target: string, content: string, how: { swapStyle: string }): void;
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
