import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig, type TestProjectConfiguration } from "vitest/config"
import { Failures } from "./test/run/Failures.ts"
import { later } from "./test/run/Later.ts"
import { LongestFirst } from "./test/run/LongestFirst.ts"
import { SlowestFiles } from "./test/run/SlowestFiles.ts"

const rest = Object.values(later).flat()

/** Its processes end with it, and with them the services and browsers that they share. */
const project = (name: string, ...folders: ReadonlyArray<string>): TestProjectConfiguration => ({
  extends: true,
  test: { name, include: folders.map((folder) => `${folder}/**/*.test.ts`), exclude: rest }
})

export default defineConfig({
  plugins: [
    {
      // Packages are found as users' Node finds them: one asks for the sources of another in development.
      name: "conditions",
      configResolved({ ssr }) {
        if (ssr.resolve !== undefined) ssr.resolve.conditions = ["node"]
      }
    }
  ],
  test: {
    // Apart from the process that watches: tests start servers and child processes.
    pool: "forks",
    // Two more than there are processors: tests wait for a process, a browser or a pause half of their time.
    maxWorkers: availableParallelism() + 2,
    // Loading what is tested takes longer than testing it, so files share a process that has loaded it.
    isolate: false,
    // New objects of a test are dead before so much space is full: its process collects garbage less often.
    execArgv: ["--max-semi-space-size=64"],
    // Node runs the sources as they are, as it runs the service's: a run transforms nothing, and imports are real ones.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: {
      // Programs that a test starts are there sooner when their code is compiled already, as the service's is by its build.
      NODE_COMPILE_CACHE: fileURLToPath(new URL("apps/server/dist/compiled", import.meta.url)),
      // Compilers that are written in Go collect garbage less often, which is a fifth of their work.
      GOGC: "400"
    },
    // The service as users run it, and the PostgreSQL of all tests.
    globalSetup: ["apps/server/build.mjs", "packages/test-support/src/postgres/Setup.ts"].map((file) =>
      fileURLToPath(new URL(file, import.meta.url))
    ),
    setupFiles: fileURLToPath(new URL("test/run/FileTimes.ts", import.meta.url)),
    // What failed tests printed is shown, and nothing else: the log of a run is read from its end.
    silent: "passed-only",
    reporters: ["default", new SlowestFiles(), new Failures()],
    sequence: { sequencer: LongestFirst },
    // Milliseconds, for what does not end at all. A machine that others use too may stand still for half a minute.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // They run in the order of their names, what takes longest first, so that no processor is idle at the end.
    projects: [
      project("apps", "test", "bench/test", "{apps,examples}/*/test"),
      project("databases", "packages/store-pg/test"),
      project("packages", "packages/!(store-pg)/test"),
      // Twice as long, since many of them start several services one after the other.
      {
        extends: true,
        test: { name: "later", include: rest, testTimeout: 240_000, hookTimeout: 240_000 }
      }
    ]
  }
})
