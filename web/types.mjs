// Generates the types of the page from the OpenAPI document of the server: one type for each schema, and one entry for
// each route with its request and its response.
//
// `openapi.json` is written by `cargo run -p saavedra-serve --example openapi`; a test of the server fails when it is
// stale. The generated file is not kept in the repository: `npm run build` and `npm run check` write it.

import { mkdir, readFile, writeFile } from "node:fs/promises";

const OUTPUT = new URL("src/generated/api.ts", import.meta.url);
const { components, paths } = JSON.parse(await readFile(new URL("openapi.json", import.meta.url), "utf8"));

/** The type of a schema. */
function type(schema) {
  if (schema === undefined) return "undefined";
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(" | ");
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return `(${choices.map(type).join(" | ")})`;
  if (schema.allOf) return `(${schema.allOf.map(type).join(" & ")})`;
  if (Array.isArray(schema.type)) return `(${schema.type.map(name => type({ ...schema, type: name })).join(" | ")})`;
  switch (schema.type) {
    case "array":
      return array(schema);
    case "object":
      return object(schema);
    case "integer":
      return "number";
    case undefined:
      return "unknown";
    default:
      return schema.type;
  }
}

function array({ items, prefixItems, minItems, maxItems }) {
  if (prefixItems) return `[${prefixItems.map(type).join(", ")}]`;
  // An array of a fixed length is a tuple.
  if (minItems !== undefined && minItems === maxItems) return `[${Array(minItems).fill(type(items)).join(", ")}]`;
  return `${type(items)}[]`;
}

function object({ properties, required = [], additionalProperties }) {
  if (!properties)
    return additionalProperties ? `Record<string, ${type(additionalProperties)}>` : "Record<string, unknown>";
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${comment(schema.description, "  ")}  ${name}${mark}: ${type(schema)};`;
  });
  return fields.length > 0 ? `{\n${fields.join("\n")}\n}` : "Record<string, never>";
}

function comment(text, indent = "") {
  return text ? `${indent}/** ${text.replaceAll(/\s+/g, " ").trim()} */\n` : "";
}

/** The request and the response of a route. */
function route(method, path, { requestBody, responses }) {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith("2"));
  const [content] = Object.values(answer.content ?? {});
  const request = type(requestBody?.content["application/json"]?.schema);
  return `  "${method.toUpperCase()} ${path}": { request: ${request}; response: ${type(content?.schema)} };`;
}

const schemas = Object.entries(components.schemas).map(
  ([name, schema]) => `${comment(schema.description)}export type ${name} = ${type(schema)};\n`,
);
const routes = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => route(method, path, operation)),
);
const text = [
  "// Generated from openapi.json by types.mjs: do not edit.\n",
  ...schemas,
  "/** The request and the response of every route. */",
  `export interface Routes {\n${routes.join("\n")}\n}\n`,
].join("\n");
await mkdir(new URL(".", OUTPUT), { recursive: true });
await writeFile(OUTPUT, text);
