/** Repeated callbacks have the same bytes, and are genuine. */
import type { Fault, Rule } from "./Fault.ts"
import { allOf } from "./History.ts"

export const differentBytes: Rule = (history) => {
  const files = [...allOf(history, "stored"), ...allOf(history, "fetched")].map((file) => ({
    ...file,
    name: `file ${file.fileId}`
  }))
  const callbacks = allOf(history, "receipt").map((receipt) => ({
    ...receipt,
    name: `event ${receipt.eventId}`
  }))
  return [...Map.groupBy([...files, ...callbacks], ({ name }) => name)].flatMap(([name, same]) => {
    const [first] = same
    if (first === undefined || same.every(({ sha256 }) => sha256 === first.sha256)) return []
    return [{ kind: "bytes differ", executionId: first.executionId, what: `${name} has several contents` }]
  })
}

export const forgeries: Rule = (history) =>
  allOf(history, "receipt").flatMap(({ executionId, forgery, type }): ReadonlyArray<Fault> =>
    forgery === undefined ? [] : [{ kind: "forged", executionId, what: `${type}: ${forgery}` }]
  )
