import { fileURLToPath } from "node:url"
import { defineConfig, type TestProjectConfiguration } from "vitest/config"

const project = (
  name: string,
  options: { readonly in: string; readonly isolate: boolean }
): TestProjectConfiguration => ({
  extends: true,
  test: { name, include: [`${options.in}/**/*.test.ts`], isolate: options.isolate }
})

export default defineConfig({
  test: {
    // Apart from the process that watches: tests start servers and child processes.
    pool: "forks",
    // One for each processor: most tests wait for a database or for a process half of their time.
    maxWorkers: "100%",
    // A service that a test starts is there a third sooner when its code is compiled already.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
    globalSetup: fileURLToPath(new URL("packages/test-postgres/src/Setup.ts", import.meta.url)),
    // Milliseconds. Time is moved in tests, so only databases, sockets and processes may take any.
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // They run in the order of their names, the longest files first, so that no processor is idle at the end.
    // Loading what is tested takes longer than testing it, so most files share a process that has loaded it.
    projects: [
      project("bench", { in: "bench/test", isolate: false }),
      project("databases", { in: "packages/store-pg/test", isolate: false }),
      project("processes", { in: "{apps,examples}/*/test", isolate: false }),
      project("units", { in: "{packages/!(store-pg)/test,test}", isolate: false })
    ]
  }
})
