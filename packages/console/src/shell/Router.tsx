/** Shows the view of the address: the overview, or one of all others. */
import { Overview } from "../views/overview/Overview.tsx"
import type * as Views from "../views/Views.ts"
import { useLocation } from "./Location.ts"
import { root } from "./Paths.ts"
import { usePlaces } from "./Places.ts"
import { Component, type ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Skeleton } from "../parts/Skeleton.tsx"
import { Note } from "../parts/Note.tsx"

export const Router = () => {
  const { path } = useLocation()
  usePlaces()
  return (
    <Boundary path={path}>
      {/* Within the boundary, since an address typed by hand may not be decodable. */}
      {path === root ? <Overview /> : <Other path={path.slice(root.length)} />}
    </Boundary>
  )
}

let viewAt: typeof Views.viewAt | undefined

/** One of all other views. Their code is fetched when the first of them is opened. */
const Other = ({ path }: { readonly path: string }) => {
  const [, setLoaded] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (viewAt !== undefined) return
    import("../views/Views.ts")
      .then((loaded) => {
        viewAt = loaded.viewAt
        setLoaded(true)
      })
      .catch(() => setFailed(true))
  }, [])
  if (viewAt === undefined) return hasFailed ? <Updated /> : <Skeleton />
  const [View, id] = viewAt(path)
  // Another thing is another page: no secret, answer or typed text of the one before stays.
  return <View key={id} id={id} />
}

/** Shown when the files of this build are gone, since a newer one is served. */
const Updated = () => (
  <Note
    tone="warn"
    title="This page could not be loaded"
    acts={
      <button type="button" class="first" onClick={() => location.reload()}>
        Reload
      </button>
    }
  >
    The service was updated or is out of reach. Reload when it suits you.
  </Note>
)

interface BoundaryProps {
  readonly path: string
  readonly children: ComponentChildren
}

/** Keeps a crashing view from taking down the page. Other views still work. */
class Boundary extends Component<BoundaryProps, { readonly broken?: string | undefined }> {
  override state: { readonly broken?: string | undefined } = {}

  override componentDidCatch(error: unknown): void {
    this.setState({ broken: this.props.path })
    // For the browser's developer tools; nothing is sent anywhere.
    reportError(error)
  }

  render() {
    if (this.state.broken !== this.props.path) return this.props.children
    return (
      <Note
        tone="bad"
        title="This view crashed"
        isUrgent
        acts={
          <>
            <button type="button" onClick={() => this.setState({ broken: undefined })}>
              Try again
            </button>
            <button type="button" onClick={() => location.reload()}>
              Reload
            </button>
          </>
        }
      >
        A fault of this page; your data is safe. The rest of the page still works.
      </Note>
    )
  }
}
