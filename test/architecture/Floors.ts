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

const filesIn = (folders: RegExp): ReadonlyArray<string> =>
  workspace.flatMap((each) => each.files).filter((file) => folders.test(file))

/** Packages that speak of the rules alone. */
const speakOfRules = /^packages\/(?:contract|guarded-http)\/src\//

/** Folders of the core that have nothing but rules. */
const haveRules = /^packages\/core\/src\/(?:shared|signing)\//

/** Folders of the core on which use cases stand: they know ports, and no use case. */
const underUseCases = /^packages\/core\/src\/(?:engine|signals)\//

/** Plain values and functions: whatever needs a service has effects. */
const isPlain = (file: string): boolean => !/from "effect\/(?:Context|Effect|Layer)"/.test(read(file))

/** Plain files that are no rules, and why. */
const plainAboveRules: Readonly<Record<string, string>> = {
  [`${core}Ports.ts`]: "lists the ports",
  [`${core}schedules/ScheduleRefusals.ts`]: "keeps the errors of ports",
  [`${core}signals/SignalMemory.ts`]: "is a part of signals",
  [`${core}signals/Watchers.ts`]: "is a part of signals"
}

/** Rules: what ports and these packages speak of, what these folders have, and all that is plain. */
const rules = (): ReadonlySet<string> => {
  const spokenOf = filesIn(speakOfRules).flatMap(inCoreBehind)
  const plain = filesIn(/^packages\/core\/src\//).filter(isPlain)
  return new Set(
    [...behindPorts, ...spokenOf, ...filesIn(haveRules), ...plain].filter(
      (file) => !ports.has(file) && plainAboveRules[file] === undefined
    )
  )
}

const leading = (from: Iterable<string>, to: ReadonlySet<string>): ReadonlyArray<string> =>
  [...from].flatMap((file) =>
    [...reachedFrom([file])].filter((each) => to.has(each)).map((each) => `${file} leads to ${each}`)
  )

/** What leads upward, as sentences; empty when nothing does. */
export const upward = (): ReadonlyArray<string> => [
  ...leading(rules(), new Set([...ports, ...useCases])),
  ...leading([...ports, ...filesIn(underUseCases)], useCases)
]
