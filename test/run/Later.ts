/**
 * Tests that `npm test` leaves to `npm run test:all`: what a change seldom breaks, or what takes long. Each area has
 * the reason that CONTRIBUTING gives for it.
 */
export const later: Readonly<Record<string, ReadonlyArray<string>>> = {
  "the page in a browser, but for one journey through it": [
    "apps/server/test/console/!(Story).test.ts",
    "apps/server/test/pages/*.test.ts",
    "apps/server/test/docs/*.test.ts"
  ],
  "faults, outages and clocks": [
    "apps/server/test/{clocks,durability,lifecycles,night,outages}/**/*.test.ts",
    "packages/store-pg/test/{clock,database}/*.test.ts",
    "packages/sdk/test/runner/Outages.test.ts",
    "packages/sdk/test/service/Restart.test.ts"
  ],
  "starts, stops, restarts and workers": [
    "apps/server/test/workers/*.test.ts",
    "apps/server/test/{Launcher,Restart,RollingRestart,Shipped,Start*,Stop*}.test.ts"
  ],
  "migrations, releases, plans and the log of PostgreSQL": [
    "packages/store-pg/test/{migrations,plans,released,wal}/*.test.ts"
  ],
  "generated clients": ["packages/http/test/documented/*.test.ts"],
  "packages, installs, images and releases": [
    "test/{image,install,packages,release}.test.ts",
    "packages/sdk/test/package/*.test.ts"
  ],
  "examples, but for the integrator's": ["examples/{agent,embedder,operator}/test/*.test.ts"],
  "quick runs of the benches": ["bench/test/Quick.test.ts"],
  "every Python that is there": ["packages/sdk/test/python/!(Tests).test.ts"],
  "suites on memory, which the first run has on PostgreSQL": [
    "packages/store-memory/test/MemoryStore.test.ts"
  ]
}
