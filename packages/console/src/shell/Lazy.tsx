/** A view whose code is fetched when it is opened. */
import type { FunctionComponent } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Skeleton } from "../parts/Skeleton.tsx"
import { Note } from "../parts/Note.tsx"

export const lazy = <Props extends object>(
  load: () => Promise<FunctionComponent<Props>>
): FunctionComponent<Props> => {
  let known: FunctionComponent<Props> | undefined

  return (props) => {
    const [, setLoaded] = useState(known !== undefined)
    const [hasFailed, setFailed] = useState(false)
    useEffect(() => {
      if (known !== undefined) return
      load()
        .then((view) => {
          known = view
          setLoaded(true)
        })
        .catch(() => setFailed(true))
    }, [])
    const View = known
    if (View !== undefined) return <View {...props} />
    return hasFailed ? <Updated /> : <Skeleton />
  }
}

/** Shown when the files of this build are gone, since a newer one is served. */
const Updated = () => (
  <Note tone="warn" title="This page could not be loaded">
    <p>The service was updated or is out of reach. Reload when it suits you.</p>
    <p class="acts">
      <button type="button" class="first" onClick={() => location.reload()}>
        Reload
      </button>
    </p>
  </Note>
)
