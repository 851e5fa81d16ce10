"""A pooled browser context is empty for the next test, whatever the previous test did to it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from tests.journeys.hall import Server
from tests.journeys.phone import ContextPool, Phone, Phones

PAGE = "/rules"
SPOIL = """async () => {
  document.cookie = "left=1; path=/";
  localStorage.left = sessionStorage.left = 1;
  await new Promise((done) => { indexedDB.open("left", 1).onsuccess = done; });
  await (await caches.open("left")).put("/left", new Response("left"));
}"""
STATE = """async () => ({
  cookies: document.cookie,
  stored: [localStorage.length, sessionStorage.length],
  databases: (await indexedDB.databases()).map(({name}) => name),
  caches: await caches.keys(),
  camera: (await navigator.permissions.query({name: "camera"})).state,
  isOnline: navigator.onLine,
  isDark: matchMedia("(prefers-color-scheme: dark)").matches,
  size: [innerWidth, innerHeight, getComputedStyle(document.documentElement).fontSize],
  script: window.left ?? "none",
  minutesOff: Math.round((Date.now() - NOW) / 60_000),
})"""


def state_of(phone: Phone) -> Any:
    phone.open(PAGE)
    return phone.page.evaluate(STATE.replace("NOW", str(time.time() * 1_000)))


def spoil(phone: Phone) -> None:
    """Leave something of every kind that a test may leave."""
    page, context = phone.page, phone.page.context
    page.evaluate(SPOIL)
    page.add_init_script("window.left = 1")
    page.emulate_media(color_scheme="dark")
    phone.resize(320, 568, 32)
    phone.stop_clock()
    page.clock.fast_forward("30:00")
    context.grant_permissions(["camera"])
    context.route("**/*", lambda route: route.abort())
    context.set_offline(True)


def test_reused_context_is_empty_for_the_next_test(
    browser: Browser, context_pool: ContextPool, server: Server, tmp_path: Path
) -> None:
    first = Phones(browser, server.url, tmp_path, pool=context_pool)
    phone = first()
    context, before = phone.page.context, state_of(phone)
    spoil(phone)
    first.close()
    second = Phones(browser, server.url, tmp_path, pool=context_pool)
    phone = second()
    assert phone.page.context is context
    assert state_of(phone) == before
    assert phone.run_script("new Promise((done) => setTimeout(() => done(true), 1))"), "the clock stands still"
    second.close()
