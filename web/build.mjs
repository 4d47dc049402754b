// Builds the page from nothing but this folder, into the crate of the server: what is published has it inside.
//
// Names carry a hash of what is inside, so that a browser may keep every file except `index.html` forever. Code is
// split: what a view needs is loaded when the view is first opened. A build that changes nothing leaves the
// folder untouched, so that the server is not built again for nothing.

import { build } from "esbuild";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { createHash } from "node:crypto";
import path from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(path.dirname(fileURLToPath(import.meta.url)));
await rm("dist.new", { recursive: true, force: true });
await mkdir("dist.new/assets", { recursive: true });

const pieces = {};
for (const file of await readdir("assets/pieces")) {
  const drawn = await readFile(`assets/pieces/${file}`, "utf8");
  const set = path.basename(file, ".svg");
  pieces[set] = `/assets/pieces-${set}-${createHash("sha256").update(drawn).digest("hex").slice(0, 8)}.svg`;
  await writeFile(`dist.new${pieces[set]}`, drawn.replaceAll(/<!--.*?-->/gs, "").replaceAll(/>\s+</g, "><"));
}
await cp("assets/icon.svg", "dist.new/icon.svg");
await cp("assets/manifest.webmanifest", "dist.new/manifest.webmanifest");

const result = await build({
  entryPoints: ["src/main.ts", "src/style/main.css"],
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  target: "es2022",
  outdir: "dist.new/assets",
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  define: { PIECES_URLS: JSON.stringify(pieces) },
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
});

/** The name that the bundle of a source file was given. */
function built(source) {
  const found = Object.entries(result.metafile.outputs).find(([, output]) => output.entryPoint === source);
  if (!found) throw new Error(`${source} was not built`);
  return path.relative("dist.new", found[0]);
}

// What the first script imports at once is named in the page, so that the browser fetches it all in one go.
const first = `dist.new/${built("src/main.ts")}`;
const preloads = result.metafile.outputs[first].imports
  .filter(file => file.kind === "import-statement")
  .map(file => `<link rel="modulepreload" href="/${path.relative("dist.new", file.path)}" />`);

const page = await readFile("src/index.html", "utf8");
await writeFile(
  "dist.new/index.html",
  page
    .replace("<!-- preloads -->", preloads.join("\n    "))
    .replace("pieces.svg", pieces.saavedra)
    .replace("main.css", `/${built("src/style/main.css")}`)
    .replace("main.js", `/${built("src/main.ts")}`),
);

// What the worker keeps, so that the page opens without the server. Its version follows from the names, which follow
// from what is inside; the file itself has no hash, because browsers ask for it by its name.
const assets = (await readdir("dist.new/assets")).map(name => `/assets/${name}`).sort();
await build({
  entryPoints: ["src/worker/offline.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  outfile: "dist.new/offline.js",
  define: {
    ASSETS: JSON.stringify(assets),
    ENTRY: JSON.stringify(`/${built("src/main.ts")}`),
    VERSION: JSON.stringify(createHash("sha256").update(assets.join()).digest("hex").slice(0, 12)),
  },
  legalComments: "none",
  logLevel: "warning",
});

// The licences of what the bundles contain.
const licences = ["cm-chessboard"].map(async name => {
  const text = await readFile(`node_modules/${name}/LICENSE`, "utf8");
  return `${name}\n\n${text.trim()}\n`;
});
await writeFile("dist.new/licences.txt", (await Promise.all(licences)).join("\n\n"));

// The server hands out what was compressed here, and has nothing to compress itself.
for (const entry of await readdir("dist.new", { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const file = path.join(entry.parentPath, entry.name);
  const content = await readFile(file);
  await writeFile(`${file}.br`, brotliCompressSync(content));
  await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }));
}

/** The names and contents of all files below a folder. */
async function contents(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name));
  const read = files.sort().map(async file => [path.relative(folder, file), await readFile(file, "base64")]);
  return JSON.stringify(await Promise.all(read));
}

const PAGE = "../crates/serve/page";
if ((await contents(PAGE)) === (await contents("dist.new"))) {
  await rm("dist.new", { recursive: true });
} else {
  await rm(PAGE, { recursive: true, force: true });
  await rename("dist.new", PAGE);
}
