/** Shows the view of the address: the overview, or one of all others. */
import { Overview } from "../views/overview/Overview.tsx"
import { Boundary } from "./Boundary.tsx"
import { lazy } from "./Lazy.tsx"
import { useLocation } from "./Location.ts"
import { root } from "./Paths.ts"
import { usePlaces } from "./Places.ts"

const Other = lazy(() =>
  import("../views/Views.ts").then(({ viewAt }) => ({ path }: { readonly path: string }) => {
    const [View, id] = viewAt(path)
    // Another thing is another page: no secret, answer or typed text of the one before stays.
    return <View key={id} id={id} />
  })
)

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
