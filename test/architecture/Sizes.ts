/**
 * How large each package may be, so that its growth is a decision and not a
 * discovery. A commit that raises a figure says why.
 */
import { globSync } from "node:fs"
import { read, root } from "./Workspace.ts"

/** Most lines of sources by package: of everything written by hand in its `src`. */
const budgets: { readonly [folder: string]: number } = {
  "apps/server": 9_634,
  bench: 4_653,
  "packages/artifacts": 1_624,
  "packages/console": 19_650,
  "packages/contract": 6_891,
  "packages/core": 20_432,
  "packages/docs-site": 2_321,
  "packages/embedded-postgres": 1_271,
  "packages/guarded-http": 1_187,
  "packages/http": 9_858,
  "packages/params": 2_162,
  "packages/sdk": 7_082,
  "packages/sdk-python": 4_980,
  "packages/store-memory": 4_905,
  "packages/store-pg": 19_819,
  "packages/store-testing": 17_408,
  "packages/test-support": 813,
  "packages/testing": 1_008,
  "packages/webhook-dispatcher": 1_960
}

const linesOf = (folder: string): number =>
  globSync(`${folder}/src/**/*.{css,html,js,py,ts,tsx}`, {
    cwd: root,
    exclude: ["**/*.generated.ts", "**/_generated/*"]
  })
    .map((file) => read(file).trimEnd().split("\n").length)
    .reduce((sum, lines) => sum + lines, 0)

/** Packages that are too large or have no figure, as sentences. */
export const sizeProblems = (): ReadonlyArray<string> =>
  globSync("{apps/*,bench,packages/*}", { cwd: root }).flatMap((folder) => {
    const lines = linesOf(folder)
    const budget = budgets[folder] ?? 0
    return lines > budget
      ? [
          `${folder} has ${lines} lines of sources, and its budget is ${budget}: see test/architecture/Sizes.ts`
        ]
      : []
  })
