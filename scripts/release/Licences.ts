/** Which licences a release may bring along: those that let everyone use, change and pass on. */
import type { Component } from "./Components.ts"

const permissive = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "PostgreSQL",
  "Unlicense"
])

/** Whether an SPDX expression leaves a choice of permissive licences alone. */
const isPermissive = (expression: string): boolean =>
  expression
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((licence) => permissive.has(licence.trim())))

/** Those that are not, and what they name instead. Packages of other platforms are not judged: they are not here. */
export const unfit = (components: ReadonlyArray<Component>): ReadonlyArray<string> =>
  components.flatMap(({ licence, name, version }) =>
    licence === undefined || isPermissive(licence) ? [] : [`${name}@${version} (${licence})`]
  )
