import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["{apps,examples,packages}/*/test/**/*.test.ts", "{bench/test,test}/**/*.test.ts"],
    // A process per file: tests start servers and child processes, and a crash must stay where it happened.
    pool: "forks",
    // Milliseconds. Time is moved in tests, so only databases, sockets and processes may take any.
    testTimeout: 30_000,
    hookTimeout: 120_000
  }
})
