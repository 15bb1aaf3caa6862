/** The stores on Citus: `npm run test:citus`. */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { isInstalled } from "./packages/test-support/src/citus/Cluster.ts"

if (!isInstalled()) {
  process.stdout.write(
    "Not tried: the PostgreSQL of pg_config has no Citus (docs/operating/citus.md says how to build it)\n"
  )
  process.exit(0)
}

const tests = "packages/store-pg/test"

export default defineConfig({
  test: {
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
    globalSetup: ["apps/server/build.mjs", `${tests}/citus/Setup.ts`].map((file) =>
      fileURLToPath(new URL(file, import.meta.url))
    ),
    include: [
      "apps/server/test/citus/*.citus.ts",
      `${tests}/citus/*.citus.ts`,
      `${tests}/{PgStore,Concurrency,ArtifactConcurrency,HostTransaction}.test.ts`,
      `${tests}/clock/*.test.ts`,
      `${tests}/functions/{Bodies,Moves}.test.ts`,
      `${tests}/deliveries/claim/ManyClaimers.test.ts`
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
