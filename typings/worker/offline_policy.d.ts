/** What `server/offline.py` writes before the service worker: whose it is, and of which version of the program. */
declare const KEPT: { installation: string; version: string };
