// A new version of the page: it is seen at the next load, and no page is ever put together from two versions. The
// server's files stand behind a proxy that can turn them into those of another version.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { serve, setup, visit } from "./harness.mjs";

const here = setup();

/** A proxy before a server. Its page is of version 1, or of version 2, whose files have other names. */
async function versions(t) {
  const { server, url } = await serve("--memory", "--port", "0");
  const entry = (await (await fetch(url)).text()).match(/\/assets\/main-(\w+)\.js/)[0];
  const second = entry.replace(/main-\w+/, "main-SECOND");
  const host = { url: "", version: 1, browser: here.browser };
  const renamed = text => text.replaceAll(entry, second).replace(/saavedra-[0-9a-f]{12}/, "saavedra-second");
  const front = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const isSecond = host.version === 2;
    if (isSecond && request.url === entry) return response.writeHead(404).end();
    const path = isSecond && request.url === second ? entry : request.url;
    const { method, headers } = request;
    const body = chunks.length > 0 ? Buffer.concat(chunks) : undefined;
    const kind = headers["content-type"] ?? "text/plain";
    const answer = await fetch(url + path, { method, body, headers: { "content-type": kind } });
    let content = Buffer.from(await answer.arrayBuffer());
    if (isSecond && ["/", "/offline.js"].includes(path)) content = renamed(content.toString());
    if (path === entry) content += `;document.documentElement.dataset.version=${host.version}`;
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(content);
  });
  await new Promise(resolve => front.listen(0, "127.0.0.1", resolve));
  host.url = `http://127.0.0.1:${front.address().port}`;
  host.stop = () => (front.closeAllConnections(), front.close());
  t.after(() => (host.stop(), server.kill("SIGTERM")));
  return host;
}

const version = page => page.evaluate(() => document.documentElement.dataset.version);
/** Waits for a state that is looked at from here. */
async function until(isSo) {
  for (let looks = 0; !(await isSo()); looks++) {
    assert.ok(looks < 600, `it does not become so: ${isSo}`);
    await setTimeout(50);
  }
}

const OPTIONS = { serviceWorkers: "allow", ignores: /WebSocket|offline|Failed|404|503/ };

describe("a new version of the page", () => {
  test("an open page stays whole, a reload shows the new one, and the worker keeps only that", async t => {
    const host = await versions(t);
    const page = await visit(t, host, "#/library", OPTIONS);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.locator(".library-actions").waitFor();
    assert.equal(await version(page), "1");

    // The server is another one now. What this page has not loaded yet is still there for it.
    host.version = 2;
    await page.evaluate(() => (location.hash = "#/settings"));
    await page.locator(".sample").waitFor();
    assert.equal(await version(page), "1");

    await page.reload();
    await page.locator(".sample").waitFor();
    assert.equal(await version(page), "2");
    await page.evaluate(() => (location.hash = "#/lab/tree"));
    await page.locator(".icicle").waitFor();

    // The new worker waits until the last page of the old one is closed; then the old files go.
    await until(() => page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting)));
    const context = page.context();
    await page.close();
    const next = await context.newPage();
    await until(async () => {
      await next.goto("about:blank");
      await next.goto(`${host.url}/#/settings`);
      return (await next.evaluate(async () => String(await caches.keys()))) === "saavedra-second";
    });
    host.stop();
    await next.reload();
    await next.getByRole("heading", { name: "The server does not answer." }).waitFor();
    assert.equal(await version(next), "2");
  });

  test("without a worker a page that misses a file of its version is loaded anew", async t => {
    const host = await versions(t);
    const page = await visit(t, host, "", { ignores: OPTIONS.ignores });
    await page.locator(".bots .face").first().waitFor();
    assert.equal(await version(page), "1");
    host.version = 2;
    await page.route("**/assets/settings-*.js", async (route, request) => {
      const isOld = (await version(page)) === "1";
      return isOld ? route.fulfill({ status: 404 }) : route.continue({ url: request.url() });
    });
    await page.evaluate(() => (location.hash = "#/settings"));
    await page.locator(".sample").waitFor();
    assert.equal(await version(page), "2");
  });
});
