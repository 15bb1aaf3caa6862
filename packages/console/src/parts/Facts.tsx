/** A list of names and values. Entries without a value are left out. */
import type { ComponentChild } from "preact"

export const Facts = ({ of }: { readonly of: { readonly [name: string]: ComponentChild } }) => (
  <dl class="facts">
    {Object.entries(of)
      .filter(([, value]) => value !== null && value !== undefined && value !== "" && value !== false)
      .map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
  </dl>
)
