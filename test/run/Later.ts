/** Which of the two runs has which test files. */
import { matchesGlob } from "node:path"

/**
 * Tests that `npm test` leaves to `npm run test:all`: what a change seldom breaks, or what takes long. Each area has
 * the reason that CONTRIBUTING gives for it.
 */
export const later: Readonly<Record<string, ReadonlyArray<string>>> = {
  "the page in a browser, but for one journey through it": [
    "apps/server/test/console/!(Story).test.ts",
    "apps/server/test/pages/*.test.ts",
    "apps/server/test/{base-url,docs}/*.test.ts",
    "packages/sdk/test/service/Browser.test.ts"
  ],
  "faults, outages and clocks": [
    "apps/server/test/{clocks,durability,lifecycles,night,outages}/**/*.test.ts",
    "packages/store-pg/test/{clock,database}/*.test.ts",
    "packages/sdk/test/runner/Outages.test.ts",
    "packages/sdk/test/service/Restart.test.ts",
    "packages/webhook-dispatcher/test/faults/*.test.ts"
  ],
  "several processes that work on one database": [
    "packages/store-pg/test/{ArtifactConcurrency,Concurrency}.test.ts",
    "packages/store-pg/test/deliveries/{TwoProducers,claim/ManyClaimers}.test.ts",
    "packages/store-pg/test/runs/moves/Killed.test.ts"
  ],
  "starts, stops, restarts, backups and workers": [
    "apps/server/test/{backup,workers}/*.test.ts",
    "apps/server/test/{SecretKey,settings/Secrets,storage/ArtifactsInBucket,storage/ArtifactsPlace}.test.ts",
    "apps/server/test/{Launcher,Restart,RollingRestart,Shipped,Start*,Stop*}.test.ts",
    "packages/embedded-postgres/test/{EmbeddedPostgres,FolderLock,Predecessor}.test.ts"
  ],
  "migrations, releases, plans and the log of PostgreSQL": [
    "packages/store-pg/test/{migrations,plans,released,wal}/*.test.ts"
  ],
  "commands, but for those of deliveries": [
    "apps/server/test/{Commands,CommandsAlone,CommandsPage,FollowingCommands,IntegratorCommands}.test.ts",
    "apps/server/test/{Listen*,OperatingGuide}.test.ts"
  ],
  "what only a whole service shows": [
    "apps/server/test/{Followers,Pace,Roles,alerts/AlertingServer,observability/OtlpExport}.test.ts",
    "packages/sdk/test/{evidence/Guide,service/Coverage}.test.ts"
  ],
  "long walks": ["packages/core/test/schedules/CronWalk.test.ts", "packages/params/test/Workers.test.ts"],
  "clients and linters of the OpenAPI documents": [
    "packages/http/test/documented/*.test.ts",
    "packages/contract/test/{Redocly,Spectral,generators/*}.test.ts"
  ],
  "packages, installs, images and releases": [
    "test/{image,install,packages,release}.test.ts",
    "packages/sdk/test/package/*.test.ts"
  ],
  "examples, but for the integrator's": [
    "examples/{agent,embedder,operator}/test/*.test.ts",
    "test/examples.test.ts"
  ],
  "quick runs of the benches": ["bench/test/Quick.test.ts"],
  "every Python that is there, and programs of the pages in Go": [
    "packages/sdk/test/python/!(Tests).test.ts",
    "packages/sdk/test/go/Guide.test.ts"
  ],
  "suites on memory and in the form of Citus, which the first run has on PostgreSQL": [
    "packages/store-memory/test/MemoryStore.test.ts",
    "packages/store-pg/test/InParts.test.ts"
  ]
}

/** Which script runs that test file. */
export const scriptOf = (file: string): "test" | "test:later" =>
  Object.values(later)
    .flat()
    .some((glob) => matchesGlob(file, glob))
    ? "test:later"
    : "test"
