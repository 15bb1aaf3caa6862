/**
 * The floors of the core: rules, the ports that speak of them, and the use cases and loops on top. Every noun has all
 * three in one folder, so what a file leads to tells where it stands. Nothing leads upward.
 */
import { filesBehind } from "./Imports.ts"
import { read, workspace } from "./Workspace.ts"

const core = "packages/core/src/"

const inCoreBehind = (file: string): ReadonlyArray<string> =>
  [...filesBehind(file, read(file))].filter((each) => each.startsWith(core) && each.endsWith(".ts"))

/** All of the core that these files lead to, by any way, and they themselves. */
const reachedFrom = (files: Iterable<string>): ReadonlySet<string> => {
  const reached = new Set(files)
  // A set is walked to its end, with what is added meanwhile.
  for (const file of reached) for (const each of inCoreBehind(file)) reached.add(each)
  return reached
}

/** Every port, as the core lists them. */
const ports: ReadonlySet<string> = new Set(inCoreBehind(`${core}Ports.ts`))

const behindPorts = reachedFrom(ports)

/** Every use case and loop, as the core lists them; the list names a rule or two besides. */
const useCases = new Set(inCoreBehind(`${core}Engine.ts`).filter((file) => !behindPorts.has(file)))

/** Packages that speak of the rules alone. */
const ofRules = /^packages\/(?:contract|guarded-http)\/src\//

/** Rules: what ports speak of, and what these packages do. */
const rules = (): ReadonlySet<string> => {
  const files = workspace.flatMap((each) => each.files).filter((file) => ofRules.test(file))
  return new Set([...behindPorts, ...files.flatMap(inCoreBehind)].filter((file) => !ports.has(file)))
}

const leading = (from: Iterable<string>, to: ReadonlySet<string>): ReadonlyArray<string> =>
  [...from].flatMap((file) =>
    [...reachedFrom([file])].filter((each) => to.has(each)).map((each) => `${file} leads to ${each}`)
  )

/** What leads upward, as sentences; empty when nothing does. */
export const upward = (): ReadonlyArray<string> => [
  ...leading(rules(), new Set([...ports, ...useCases])),
  ...leading(ports, useCases)
]
