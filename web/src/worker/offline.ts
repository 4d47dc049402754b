// The worker that keeps the page in the browser: without the server the page still opens, and says what is wrong.
//
// It never shows an old page where there is a newer one: the page itself is always asked for first, and what it names
// carries a hash of what is inside. Requests to the interface of the server it does not touch.

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends WorkerEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** The files of the page, the one that it starts with, and a name for all of them; set by the build. */
declare const ASSETS: string[];
declare const ENTRY: string;
declare const VERSION: string;

const CACHE = `saavedra-${VERSION}`;
const PAGE = "/";

addEventListener("install", event => (event as WorkerEvent).waitUntil(keep()));
addEventListener("activate", event => (event as WorkerEvent).waitUntil(forgetOthers()));
addEventListener("fetch", event => {
  const { request } = event as RequestEvent;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") (event as RequestEvent).respondWith(fetch(request).catch(() => kept(PAGE)));
  else if (ASSETS.includes(pathname)) (event as RequestEvent).respondWith(kept(pathname).catch(() => fetch(request)));
});

/** Keeps the page and all its files, unless the server is of another version by now: then its own worker comes. */
async function keep(): Promise<void> {
  const page = await fetch(new Request(PAGE, { cache: "reload" }));
  if (!page.ok || !(await page.clone().text()).includes(ENTRY)) throw new Error("the page is of another version");
  const cache = await caches.open(CACHE);
  await cache.addAll(ASSETS);
  await cache.put(PAGE, page);
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter(name => name !== CACHE).map(name => caches.delete(name)));
}

async function kept(path: string): Promise<Response> {
  const answer = await (await caches.open(CACHE)).match(path);
  if (!answer) throw new Error(`${path} is not kept`);
  return answer;
}
