/** How two versions of a task differ: what breaks for callers, and the lines. */
import { diffOf, folded } from "@runhook/params/SchemaDiff"
import type { Json } from "@runhook/sdk/admin"
import { Note, UntrustedText } from "../../parts/Parts.ts"
import { breaksOf } from "./SchemaBreaks.ts"
import "./tasks.css"

export interface VersionSchemas {
  readonly params_schema: Json
  readonly result_schema: Json
}

export interface SchemaChangesProps {
  readonly before: VersionSchemas
  readonly after: VersionSchemas
}

/** Sign, then colour. */
const looks = { same: [" ", "quiet"], gone: ["-", "bad"], new: ["+", "good"] } as const

const schemasOf = ({ params_schema, result_schema }: VersionSchemas) => ({
  params: params_schema,
  result: result_schema
})

export const SchemaChanges = ({ after, before }: SchemaChangesProps) => {
  const [old, young] = [schemasOf(before), schemasOf(after)]
  const lines = folded(diffOf(old, young))
  if (lines.every((line) => line === null)) return <p class="quiet">No differences.</p>
  const breaks = breaksOf(old, young)
  return (
    <>
      {breaks.length === 0 ? (
        <p class="quiet">Every request that was valid stays valid.</p>
      ) : (
        <Note
          tone="warn"
          title="May break callers"
          more={
            <ul>
              {breaks.map((each) => (
                <li key={each}>
                  <UntrustedText text={each} />
                </li>
              ))}
            </ul>
          }
        />
      )}
      <pre tabIndex={0} role="region" aria-label="Difference">
        {lines.map((line, at) => {
          const [sign, tone] = looks[line?.kind ?? "same"]
          return (
            <span key={at} class={tone}>
              {line === null ? "…" : `${sign} ${line.text}`}
              {"\n"}
            </span>
          )
        })}
      </pre>
    </>
  )
}
