import { globSync, readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"

interface Manifest {
  readonly name: string
  readonly dependencies?: object
  readonly devDependencies?: object
  readonly optionalDependencies?: object
}

const manifests = globSync([
  "package.json",
  "{apps,packages,examples}/*/package.json",
  "bench/package.json"
]).map((file): Manifest => JSON.parse(readFileSync(file, "utf8")))

const own = new Set(manifests.map(({ name }) => name))

const outside = new Set(
  manifests
    .flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    )
    .filter((name) => !own.has(name))
)

/** Names of packages in the first column; one that ends with `*` stands for all that begin like it. */
const rows = [...readFileSync("docs/dependencies.md", "utf8").matchAll(/^\| (`[^|]+) \|/gm)].flatMap(
  ([, names = ""]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)
)

const isIn = (name: string, row: string): boolean =>
  row.endsWith("*") ? name.startsWith(row.slice(0, -1)) : name === row

it("gives the reason for every package that comes from outside, and for no other", () => {
  const names = [...outside]

  assert.deepStrictEqual(
    names.filter((name) => !rows.some((row) => isIn(name, row))),
    []
  )
  assert.deepStrictEqual(
    rows.filter((row) => !names.some((name) => isIn(name, row))),
    []
  )
})
