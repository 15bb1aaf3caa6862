/** The stores on Citus, and services on it: `npm run test:citus`. */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { isInstalled } from "./packages/test-support/src/citus/Cluster.ts"

if (!isInstalled()) {
  process.stdout.write(
    "Not tried: the PostgreSQL of pg_config has no Citus (docs/operating/citus.md says how to build it)\n"
  )
  process.exit(0)
}

const stores = "packages/store-pg/test"
const server = "apps/server/test"

/** Tests of the PostgreSQL store that are about one server, by what makes them so. */
const ofOneServer: Readonly<Record<string, ReadonlyArray<string>>> = {
  "no table of the schema": [
    `${stores}/{connections,engine,rows,signals,sql}/*.test.ts`,
    `${stores}/functions/Installation.test.ts`
  ],
  "what one server plans, reads, logs and migrates": [
    `${stores}/{migrations,plans,released,wal}/*.test.ts`,
    `${stores}/deliveries/{Groups,queue/LongQueue}.test.ts`
  ],
  "looks that go shard by shard there, which the suites try": [
    `${stores}/{deliveries/claim/FindDue,endpoints/MailboxLooks}.test.ts`
  ],
  "the form of Citus on one server": [`${stores}/InParts.test.ts`],
  "backups, which Citus makes itself": [`${stores}/backup/*.test.ts`]
}

export default defineConfig({
  test: {
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
    globalSetup: ["apps/server/build.mjs", `${stores}/citus/Setup.ts`].map((file) =>
      fileURLToPath(new URL(file, import.meta.url))
    ),
    include: [
      `${server}/citus/*.citus.ts`,
      `${server}/{Followers,RollingRestart}.test.ts`,
      `${server}/durability/{Cancels,Messages,Returns,Schedules}.test.ts`,
      `${stores}/citus/*.citus.ts`,
      `${stores}/**/*.test.ts`
    ],
    exclude: Object.values(ofOneServer).flat(),
    testTimeout: 240_000,
    hookTimeout: 240_000
  }
})
