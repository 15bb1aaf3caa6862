import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"

const folder = new URL("../src/", import.meta.url)

const source = (file: string) => readFileSync(new URL(file, folder), "utf8")

const list = source("Ports.ts")

/** Services that somebody else provides, but that are no port, and what they are. */
const others: Readonly<Record<string, string>> = {
  AdminKeys: "keys that the host decides",
  CurrentActor: "whoever calls",
  DeliveryInlets: "all inlets of this process",
  Pepper: "the pepper, opened at the start",
  ServiceKeys: "keys that the host decides",
  WorkInlets: "all inlets of this process"
}

/** The services of the core that do not say how they are made. */
const provided = readdirSync(folder, { encoding: "utf8", recursive: true })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => [
    ...source(file).matchAll(/class (\w+) extends Context\.Service<[^]*?>\(\)\(\s*"[^"]*"\s*(\)|,)/g)
  ])
  .flatMap(([, name = "", end]) => (end === ")" ? [name] : []))

describe("The list of ports", () => {
  it.each(provided.filter((name) => others[name] === undefined))("has %s", (name) => {
    assert.match(list, new RegExp(`^export \\{ ${name} \\} from`, "m"))
  })

  it("knows what is provided and no port", () => {
    assert.includeMembers(provided, Object.keys(others))
    assert.isAbove(provided.length, 25)
  })

  it("has one sentence for each", () => {
    const entries = [...list.matchAll(/^export (?:type )?\{ (\w+) \} from/gm)].map(([, name]) => name)

    const described = [...list.matchAll(/^\/\*\* [A-Z][^.\n]+\. \*\/\nexport (?:type )?\{ (\w+) \} from/gm)]

    assert.deepStrictEqual(
      described.map(([, name]) => name),
      entries
    )
  })
})
