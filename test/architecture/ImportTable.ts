/**
 * Who may import whom. A file may import what the rows that match it name,
 * and nothing else. ARCHITECTURE.md shows the same table to readers.
 *
 * `*` is one segment of a path, `**` any number of them.
 */
const effectStable = ["effect/*", "effect/net/*", "effect/encoding/*"]
/** Makes ids and keys; stores make the ids of the events they store. */
const secureRandom = ["effect/crypto/SecureRandom"]
const effectClient = ["effect/http/{FetchHttpClient,Headers,HttpBody,HttpClient*,HttpMethod,Url,UrlParams}"]
const effectHttp = ["effect/http/**", "effect/http-api/*"]
const effectSql = ["effect/sql/*"]
const core = ["@runhook/core/**"]
const contract = ["@runhook/contract/**"]
const platformNode = ["@effect/platform-node/*"]
const anyNode = ["node:*", "node:*/*"]

export interface ImportRow {
  /** Files of the workspace, as a glob from its root. */
  readonly files: string
  /** Modules these files may import. */
  readonly may: ReadonlyArray<string>
  /** Modules these files may import types from, with `import type` only. */
  readonly mayTypes?: ReadonlyArray<string>
}

export const importTable: ReadonlyArray<ImportRow> = [
  { files: "packages/core/src/**", may: [...effectStable, ...secureRandom] },
  { files: "packages/core/src/signing/**", may: ["node:crypto", "node:zlib"] },

  {
    // Rules of the core alone, which `Floors.ts` holds it to.
    files: "packages/contract/src/**",
    may: [...effectStable, "effect/http-api/*", ...core]
  },

  {
    files: "packages/http/src/**",
    may: [...effectStable, ...effectHttp, ...secureRandom, ...core, ...contract]
  },
  { files: "packages/http/src/probes/Metrics.ts", may: ["effect/observability/PrometheusMetrics"] },
  { files: "packages/http/src/NodeServer.ts", may: [...platformNode, ...anyNode] },
  { files: "packages/http/src/NodeListener.ts", may: [...platformNode, ...anyNode] },
  { files: "packages/http/src/listener/**", may: anyNode },

  { files: "packages/store-memory/src/**", may: [...effectStable, ...secureRandom, ...core] },
  {
    files: "packages/store-pg/src/**",
    may: [...effectStable, ...secureRandom, ...effectSql, "@effect/sql-pg/*", ...core]
  },
  {
    // Two clients are made there, of which the driver provides for one.
    files: "packages/store-pg/src/PgDatabase.ts",
    may: ["effect/reactivity/Reactivity"]
  },
  {
    // It reads the certificates that a URL names.
    files: "packages/store-pg/src/connections/Tls.ts",
    may: ["node:fs/promises", "node:tls", "@mongodb-js/saslprep"]
  },
  {
    // The texts of functions lie in files of their own.
    files: "packages/store-pg/src/functions/Functions.ts",
    may: ["node:fs"]
  },
  { files: "packages/embedded-postgres/src/**", may: [...effectStable, ...anyNode] },
  {
    files: "packages/test-support/src/**",
    may: [
      ...effectStable,
      ...secureRandom,
      ...anyNode,
      ...core,
      "@runhook/{artifacts/disk,embedded-postgres,params,store-memory}/*",
      "@runhook/store-testing/**",
      "@20minutes/s3rver",
      "@effect/vitest",
      "effect/testing/TestClock",
      "pg",
      "undici",
      "vitest"
    ],
    mayTypes: ["vitest/node"]
  },
  {
    files: "packages/store-testing/src/**",
    may: [...effectStable, ...secureRandom, ...core, "@effect/vitest", "effect/testing/TestClock", "vitest"]
  },

  {
    files: "packages/webhook-dispatcher/src/**",
    may: [...effectStable, ...core, "@runhook/guarded-http/*"],
    mayTypes: secureRandom
  },
  {
    files: "packages/guarded-http/src/**",
    may: [...effectStable, "@runhook/core/Settings", "@runhook/core/shared/target/*", ...anyNode, "undici"]
  },
  { files: "packages/artifacts/src/**", may: [...effectStable, ...effectClient, ...core] },
  { files: "packages/artifacts/src/{disk,memory,s3}/**", may: anyNode },
  { files: "packages/artifacts/src/s3/**", may: ["aws4fetch", "undici"] },
  {
    files: "packages/params/src/**",
    may: [...effectStable, ...core, "@eslint-community/regexpp", "ajv", "ajv/**", "re2js"]
  },
  { files: "packages/params/src/workers/**", may: ["node:path", "node:worker_threads"] },

  {
    files: "packages/docs-site/src/**",
    may: [...effectStable, ...effectHttp, "@runhook/contract/openapi/Document", "@runhook/http/**"]
  },
  { files: "packages/docs-site/src/Markdown.ts", may: ["marked"] },

  // Depends on nothing: what it knows of the contract is generated.
  { files: "packages/sdk/src/**", may: [] },
  { files: "packages/sdk/src/runner/**", may: anyNode },
  { files: "packages/sdk/src/effect/**", may: [...effectStable, ...effectClient] },
  {
    files: "packages/console/src/**",
    may: ["@runhook/sdk/admin", "@runhook/params/SchemaDiff", "preact", "preact/hooks"]
  },

  // The service once more, as one module for tests: what it is made of is bundled, but for the client.
  {
    files: "packages/testing/src/**",
    may: [...effectStable, ...effectHttp, ...secureRandom, ...core, ...contract, "@runhook/**", "node:crypto"]
  },

  { files: "{apps,examples}/*/src/**", may: ["**", ...anyNode] }
]
