/** What stands where something is still loaded: nothing at first, and its shape when that takes longer. */
import { useEffect, useState } from "preact/hooks"
import { after } from "../time/Clock.ts"

/** Most answers are there before, and a flicker is worse than nothing. In milliseconds. */
const hiddenMs = 300

const useLate = (): boolean => {
  const [isLate, setLate] = useState(false)
  useEffect(() => after(hiddenMs, () => setLate(true)), [])
  return isLate
}

export const Bones = ({ lines = 5 }: { readonly lines?: number }) => {
  const isLate = useLate()
  return (
    <div class="card bones" aria-busy="true" hidden={!isLate}>
      <span class="hide" role="status">
        {isLate ? "Loading" : ""}
      </span>
      {Array.from({ length: lines }, (_, line) => (
        <span class="bone" key={line} />
      ))}
    </div>
  )
}

/** The same as rows of a table. */
export const BoneRows = ({ columns, rows = 5 }: { readonly columns: number; readonly rows?: number }) => {
  const isLate = useLate()
  return (
    <tbody aria-busy="true" hidden={!isLate}>
      {Array.from({ length: rows }, (_, row) => (
        <tr key={row}>
          {Array.from({ length: columns }, (__, column) => (
            <td key={column}>
              <span class="bone" />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
