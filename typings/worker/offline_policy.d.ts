/** The installation and the version of the program, which `server/offline.py` writes before the service worker. */
declare const KEPT: { installation: string; version: string };
